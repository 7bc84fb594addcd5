import { useState } from 'preact/hooks';
import type { AnswerJson } from '../../../src/search/answerJson.js';
import { Answer } from '../components/states.js';
import { Table } from '../components/Table.js';
import { queryText } from '../lib/api.js';
import { age, count, hash, isolate, moment } from '../lib/format.js';
import { useAsk } from '../lib/useAsk.js';

type Hit = AnswerJson['hits'][number];

interface Version {
  readonly title: string | null;
  readonly text: string;
  readonly availableAt: string;
  readonly endsAt: string | null;
  readonly endedBy: string | null;
  readonly contentHash: string;
}

/**
 * Hits of an answer, with the state that it was computed from.
 * @param listed how many hits were asked for
 * @param against an answer as of another time: hits that it does not have are marked
 */
export function Hits({
  answer,
  listed,
  against,
}: {
  answer: AnswerJson;
  listed: number;
  against: AnswerJson | undefined;
}) {
  const others = against === undefined ? undefined : new Map(against.hits.map(({ id, rank }) => [id, rank]));
  const isLater = against !== undefined && answer.asOf > against.asOf;
  const { corpus, model } = answer.state;
  const { alpha } = (model.parameters as { freshness?: { alpha?: number } }).freshness ?? {};
  return (
    <section aria-label={`Answer as of ${moment(answer.asOf)}`}>
      <h2>As of {moment(answer.asOf)}</h2>
      <p class="state">
        Computed from {count(answer.documents)} assets: corpus <code title={corpus.root}>{hash(corpus.root)}</code> of{' '}
        {count(corpus.size)} operations, model <code title={JSON.stringify(model.parameters)}>{hash(model.hash)}</code>
      </p>
      {answer.hits.length === 0 && <p class="quiet">{answer.note ?? 'Nothing was found.'}</p>}
      <ol class="hits">
        {answer.hits.map((hit) => (
          <HitItem
            key={hit.id}
            hit={hit}
            asOf={answer.asOf}
            alpha={alpha}
            change={changeOf(hit, others, isLater, listed)}
          />
        ))}
      </ol>
    </section>
  );
}

function changeOf(
  hit: Hit,
  others: ReadonlyMap<string, number> | undefined,
  isLater: boolean,
  listed: number,
): string | undefined {
  if (others === undefined) return undefined;
  const rank = others.get(hit.id);
  if (rank === undefined) return isLater ? 'entered' : `no longer among the first ${listed}`;
  return rank === hit.rank ? undefined : `rank ${rank} ${isLater ? 'before' : 'later'}`;
}

function HitItem({
  hit,
  asOf,
  alpha,
  change,
}: {
  hit: Hit;
  asOf: string;
  alpha: number | undefined;
  change: string | undefined;
}) {
  const [isOpen, setOpen] = useState(false);
  const { explanation } = hit;
  return (
    <li class="hit">
      <h3>
        {hit.rank}. <bdi>{hit.title ?? hit.id}</bdi>
        {change !== undefined && <span class="tag">{change}</span>}
      </h3>
      <p class="clocks">
        {hit.title !== null && (
          <>
            <bdi>{hit.id}</bdi> ·{' '}
          </>
        )}
        {age(explanation.age)} old · happened {moment(hit.eventAt)} · available {moment(hit.availableAt)}
      </p>
      <p class="text" dir="auto">
        {hit.text}
      </p>
      <ScoreBar hit={hit} alpha={alpha} />
      <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Versions
        <span class="visually-hidden">
          {' '}
          of <bdi>{hit.id}</bdi>
        </span>
      </button>
      {isOpen && <Versions id={hit.id} asOf={asOf} />}
    </li>
  );
}

/** The score, split into what similarity and what freshness gave. */
function ScoreBar({ hit, alpha }: { hit: Hit; alpha: number | undefined }) {
  const { relevance, fused, lexical, semantic } = hit.explanation;
  const parts = [
    lexical === null ? '' : `BM25 ${lexical.score.toFixed(2)} (rank ${lexical.rank})`,
    semantic === null ? '' : `cosine ${semantic.score.toFixed(3)} (rank ${semantic.rank})`,
  ].filter((part) => part !== '');
  if (alpha === undefined) {
    return (
      <p class="clocks">
        score {fused.toFixed(3)}
        {parts.length > 0 && ` · ${parts.join(' · ')}`}
      </p>
    );
  }
  const similarity = alpha * relevance;
  const freshness = Math.max(0, fused - similarity);
  const words = `score ${fused.toFixed(3)}: similarity gave ${similarity.toFixed(3)}, freshness ${freshness.toFixed(3)}`;
  return (
    <>
      <div class="split" role="img" aria-label={words}>
        <span class="similarity" style={{ width: `${100 * similarity}%` }} />
        <span class="freshness" style={{ width: `${100 * freshness}%` }} />
      </div>
      <p class="clocks">
        {words}
        {parts.length > 0 && ` · ${parts.join(' · ')}`}
      </p>
    </>
  );
}

function Versions({ id, asOf }: { id: string; asOf: string }) {
  const versions = useAsk<{ versions: Version[] }>(
    `/v1/assets/${encodeURIComponent(id)}/versions${queryText({ asOf })}`,
  );
  return (
    <Answer of={versions}>
      {({ versions: list }) => (
        <Table
          caption={`Versions of ${isolate(id)} known by then`}
          head={['Available', 'Ended', 'Text', 'Content']}
          rows={list.map((version) => [
            moment(version.availableAt),
            version.endsAt === null ? 'current' : `${moment(version.endsAt)} (${version.endedBy})`,
            version.text.slice(0, 200),
            <code>{hash(version.contentHash)}</code>,
          ])}
        />
      )}
    </Answer>
  );
}
