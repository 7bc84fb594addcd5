import { useEffect, useState } from 'preact/hooks';
import type { AnswerJson } from '../../../src/search/answerJson.js';
import type { Timeline } from '../charts/VolumeChart.js';
import { AsOfSlider } from '../components/AsOfSlider.js';
import { Answer, Empty } from '../components/states.js';
import { queryText } from '../lib/api.js';
import { setView, usePlace } from '../lib/router.js';
import { useAsk } from '../lib/useAsk.js';
import { Hits } from './Hits.js';

/** Hits of an answer on this page. */
const shownHits = 10;

interface Modes {
  readonly modes: readonly string[];
}

const modeNames: Readonly<Record<string, string>> = {
  fresh: 'subject and freshness',
  lexical: 'words (BM25)',
  semantic: 'meaning (embeddings)',
  hybrid: 'words and meaning',
};

/** Search as of any time, and of two times side by side. */
export function Search() {
  const timeline = useAsk<Timeline>('/v1/timeline?bins=200');
  return (
    <>
      <h1>Search</h1>
      <p class="lead">What could this collection have answered at that time, with the statistics of that time?</p>
      <Answer of={timeline}>
        {(data) =>
          data.last === null ? (
            <Empty title="The workspace is empty">
              <p>
                Put records in with <code>asof ingest</code>, or POST them to <code>/v1/ingest</code>.
              </p>
            </Empty>
          ) : (
            <SearchForm timeline={data} />
          )
        }
      </Answer>
    </>
  );
}

function SearchForm({ timeline }: { timeline: Timeline }) {
  const { query } = usePlace();
  const asked = query.get('q') ?? '';
  const [text, setText] = useState(asked);
  const modes = useAsk<Modes>('/v1/search/modes');
  useEffect(() => setText(asked), [asked]);
  const asOf = query.get('asOf') ?? timeline.last!;
  const other = query.get('vs');
  const mode = query.get('mode') ?? 'fresh';
  const weighs = mode === 'fresh' || query.get('freshness') === 'fused';
  const parameters = {
    q: asked,
    mode: mode === 'fresh' ? undefined : mode,
    freshness: mode === 'fresh' ? undefined : (query.get('freshness') ?? undefined),
    alpha: weighs ? query.get('alpha') : undefined,
    halfLife: weighs && query.get('halfLife') !== null ? `${query.get('halfLife')}d` : undefined,
    limit: shownHits,
  };
  const addressAt = (t: string | null) =>
    asked === '' || t === null ? null : `/v1/search${queryText({ ...parameters, asOf: t })}`;
  const answer = useAsk<AnswerJson>(addressAt(asOf));
  const otherAnswer = useAsk<AnswerJson>(addressAt(other));
  return (
    <>
      <form
        class="search-form"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          setView({ q: text }, false);
        }}
      >
        <input
          type="search"
          dir="auto"
          aria-label="What to look for"
          placeholder="What to look for"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <label>
          <span class="visually-hidden">Rank by</span>
          <select value={mode} onChange={(event) => setView({ mode: event.currentTarget.value })}>
            {(modes.data?.modes ?? ['fresh']).map((name) => (
              <option value={name} key={name}>
                {modeNames[name] ?? name}
              </option>
            ))}
          </select>
        </label>
        <button type="submit">Search</button>
      </form>
      <AsOfSlider label="As of" timeline={timeline} value={Date.parse(asOf)} onChange={(t) => setView({ asOf: t })} />
      {other === null ? (
        <p>
          <button type="button" class="link" onClick={() => setView({ vs: asOf })}>
            Compare with another time
          </button>
        </p>
      ) : (
        <>
          <AsOfSlider
            label="And as of"
            timeline={timeline}
            value={Date.parse(other)}
            onChange={(t) => setView({ vs: t })}
          />
          <p>
            <button type="button" class="link" onClick={() => setView({ vs: undefined })}>
              Only one time
            </button>
          </p>
        </>
      )}
      <Weights mode={mode} />
      {asked === '' ? (
        <Empty title="Ask something">
          <p>Move the slider, and the same question is answered as of another time.</p>
        </Empty>
      ) : (
        <div class="sides">
          <Answer of={answer}>
            {(data) => (
              <Hits answer={data} listed={shownHits} against={other === null ? undefined : otherAnswer.data} />
            )}
          </Answer>
          {other !== null && (
            <Answer of={otherAnswer}>
              {(data) => <Hits answer={data} listed={shownHits} against={answer.data} />}
            </Answer>
          )}
        </div>
      )}
    </>
  );
}

/** How much recency counts; every change ranks again at once. */
function Weights({ mode }: { mode: string }) {
  const { query } = usePlace();
  const isFused = query.get('freshness') === 'fused';
  const weighs = mode === 'fresh' || isFused;
  const alpha = query.get('alpha') ?? (mode === 'fresh' ? '0.5' : '0.7');
  const halfLife = query.get('halfLife') ?? (mode === 'fresh' ? '30' : '14');
  return (
    <div class="controls">
      {mode !== 'fresh' && (
        <label>
          <input
            type="checkbox"
            checked={isFused}
            onChange={(event) => setView({ freshness: event.currentTarget.checked ? 'fused' : undefined })}
          />{' '}
          count age
        </label>
      )}
      {weighs && (
        <>
          <label>
            Similarity against freshness (alpha){' '}
            <input
              type="range"
              min="0"
              max="1"
              step="0.05"
              value={alpha}
              onInput={(event) => setView({ alpha: event.currentTarget.value })}
            />{' '}
            {Number(alpha).toFixed(2)}
          </label>
          <label>
            Half-life{' '}
            <input
              type="range"
              min="1"
              max="365"
              value={halfLife}
              aria-valuetext={`${halfLife} days`}
              onInput={(event) => setView({ halfLife: event.currentTarget.value })}
            />{' '}
            {halfLife} days
          </label>
        </>
      )}
    </div>
  );
}
