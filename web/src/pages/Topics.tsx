import { useMemo } from 'preact/hooks';
import type {
  TopicAnswer,
  TopicDocuments,
  TopicProgress,
  TopicSliceJson,
} from '../../../src/server/topics/TopicService.js';
import { labelMarks, others, othersColour, StreamGraph, type StreamPoint, topicColour } from '../charts/StreamGraph.js';
import type { Timeline } from '../charts/VolumeChart.js';
import { AsOfSlider } from '../components/AsOfSlider.js';
import { Answer, Empty, Loading } from '../components/states.js';
import { Table } from '../components/Table.js';
import { queryText } from '../lib/api.js';
import { count, day, hash, moment } from '../lib/format.js';
import { setView, usePlace } from '../lib/router.js';
import { useAsk, useAskAgain } from '../lib/useAsk.js';

/** Topics that have a band of their own in the stream graph, and a row in the table before all are asked for. */
const shownTopics = 20;

const sliceRules = [
  ['iso-week', 'weeks'],
  ['month', 'months'],
  ['equal-count', 'equal numbers of documents'],
] as const;

/** Topics and trends as they were known at a time. */
export function Topics() {
  const { query } = usePlace();
  const timeline = useAsk<Timeline>('/v1/timeline?bins=200');
  return (
    <>
      <h1>Topics</h1>
      <p class="lead">What the collection was about, with the labels that were known at that time.</p>
      <Answer of={timeline}>
        {(data) =>
          data.last === null ? (
            <Empty title="The workspace is empty">{<p>Topics are tracked in what was ingested.</p>}</Empty>
          ) : (
            <>
              <AsOfSlider
                label="As of"
                timeline={data}
                value={Date.parse(query.get('asOf') ?? data.last)}
                onChange={(t) => setView({ asOf: t, topic: undefined, slice: undefined })}
              />
              <div class="controls">
                <label>
                  Slices{' '}
                  <select
                    value={query.get('slices') ?? 'iso-week'}
                    onChange={(event) => setView({ slices: event.currentTarget.value, slice: undefined })}
                  >
                    {sliceRules.map(([value, name]) => (
                      <option value={value} key={value}>
                        {name}
                      </option>
                    ))}
                  </select>
                </label>
              </div>
              <TopicsAsOf asOf={query.get('asOf') ?? data.last} slices={query.get('slices') ?? 'iso-week'} />
            </>
          )
        }
      </Answer>
    </>
  );
}

function TopicsAsOf({ asOf, slices }: { asOf: string; slices: string }) {
  const question = queryText({ asOf, slices });
  const topics = useAsk<TopicAnswer>(`/v1/topics${question}`);
  if (topics.data === undefined && topics.error === undefined) return <Tracking question={question} />;
  return (
    <>
      {topics.isLoading && <Tracking question={question} />}
      <Answer of={topics}>
        {(answer) =>
          answer.slices.every(({ points }) => points.length === 0) ? (
            <Empty title="No topic was known by then">{<p>Move the time forward.</p>}</Empty>
          ) : (
            <Known answer={answer} />
          )
        }
      </Answer>
    </>
  );
}

/** How far the answer is, while it is being made: the first one embeds what was never embedded. */
function Tracking({ question }: { question: string }) {
  const progress = useAskAgain<TopicProgress>(`/v1/topics/progress${question}`, 1000);
  if (progress === undefined || progress.state === 'none') return <Loading />;
  const { state, done, total } = progress;
  const percent = total === 0 ? 0 : Math.floor((100 * done) / total);
  return (
    <div class="empty" role="status">
      <p class="empty-title">
        {state === 'waiting' ? 'Another question about topics is answered first' : `Topics are tracked: ${percent} %`}
      </p>
      {state === 'tracking' && (
        <>
          <progress max={Math.max(1, total)} value={done} aria-label="Slices tracked" />
          <p>
            {total === 0 ? 'Texts are being read and embedded.' : `${count(done)} of ${count(total)} slices.`} Texts
            that were never embedded are embedded now, which takes long for a large collection.
          </p>
          <p>
            <code>asof topics --workspace …</code> does it once and publishes what it finds; from then on it is read.
          </p>
        </>
      )}
    </div>
  );
}

interface TopicSummary {
  readonly topic: number;
  readonly documents: number;
  readonly terms: readonly string[];
  readonly last: TopicSliceJson;
}

function Known({ answer }: { answer: TopicAnswer }) {
  const { query } = usePlace();
  const topics = useMemo(() => largestTopics(answer.slices), [answer]);
  const chosen = topics.find(({ topic }) => String(topic) === query.get('topic'));
  const inGraph = topics.slice(0, shownTopics);
  const isWhole = query.get('topics') === 'all';
  const rows = isWhole ? topics : inGraph;
  const bands = [...inGraph.map(nameOf), ...(topics.length > shownTopics ? [others] : [])];
  const points = useMemo(() => streamPoints(answer.slices, inGraph, topics.length > shownTopics), [answer]);
  const { corpus, model, published } = answer.state;
  return (
    <>
      <p class="state">
        Computed from corpus <code title={corpus.root}>{hash(corpus.root)}</code> of {count(corpus.size)} operations,
        model <code title={model.hash}>{hash(model.hash)}</code>
        {model.availableAt !== null && ` known since ${moment(model.availableAt)}`}; {published.read} slices were
        published before.
      </p>
      <StreamGraph points={points} topics={bands} asOf={Date.parse(answer.asOf)} />
      <ul class="legend">
        {Object.entries(labelMarks).map(([label, mark]) => (
          <li key={label}>
            {mark} {label}
          </li>
        ))}
        <li>where a label begins, as far as there is room</li>
        {topics.length > shownTopics && (
          <li>
            <span class="swatch" style={{ background: othersColour }} />
            {count(topics.length - shownTopics)} smaller topics together
          </li>
        )}
      </ul>
      <Table
        caption={
          rows.length < topics.length
            ? `${rows.length} of ${count(topics.length)} topics, the largest first`
            : `${count(topics.length)} topics, the largest first`
        }
        head={['Topic', 'Documents', 'Last slice', 'Label', 'Terms']}
        rows={rows.map((summary, place) => {
          const point = summary.last.points.find(({ topic }) => topic === summary.topic)!;
          return [
            <button
              type="button"
              class="link whole"
              aria-pressed={summary === chosen}
              onClick={() => setView({ topic: summary.topic, slice: undefined })}
            >
              {place < shownTopics && <span class="swatch" style={{ background: topicColour(place) }} />}
              {summary.topic}
              <span class="visually-hidden"> : show its slices</span>
            </button>,
            count(summary.documents),
            summary.last.id,
            labelText(point.label, summary.last.provisional),
            summary.terms.slice(0, 6).join(', '),
          ];
        })}
      />
      {topics.length > shownTopics && (
        <p>
          <button type="button" class="link" onClick={() => setView({ topics: isWhole ? undefined : 'all' })}>
            {isWhole ? `Show the largest ${shownTopics} only` : `Show all ${count(topics.length)} topics`}
          </button>
        </p>
      )}
      {chosen !== undefined && <Course answer={answer} summary={chosen} />}
    </>
  );
}

/** One topic slice by slice; a slice opens its documents. */
function Course({ answer, summary }: { answer: TopicAnswer; summary: TopicSummary }) {
  const { query } = usePlace();
  const own = answer.slices.flatMap((slice) =>
    slice.points.filter(({ topic }) => topic === summary.topic).map((point) => ({ slice, point })),
  );
  const open = own.find(({ slice }) => slice.id === query.get('slice'));
  return (
    <section aria-label={`Topic ${summary.topic}`}>
      <h2>
        Topic {summary.topic}{' '}
        <span class="quiet">
          <bdi>{summary.terms.slice(0, 4).join(', ')}</bdi>
        </span>
      </h2>
      <Table
        caption="Slice by slice"
        head={['Slice', 'From', 'Documents', 'Label', 'Against expected', 'Drift', 'Terms']}
        rows={own.map(({ slice, point }) => [
          <button type="button" class="link" onClick={() => setView({ slice: slice.id })}>
            {slice.id}
            <span class="visually-hidden"> : show documents</span>
          </button>,
          day(slice.start),
          count(point.size),
          labelText(point.label, slice.provisional),
          point.ratio === null ? '–' : `${point.ratio.toFixed(2)}×`,
          point.drift === null ? '–' : point.drift.toFixed(3),
          point.terms.slice(0, 5).join(', '),
        ])}
      />
      {open !== undefined && <Documents answer={answer} slice={open.slice} topic={summary.topic} />}
    </section>
  );
}

/** What a page shows of a topic's documents. */
const shownDocuments = 50;

/** The documents that the tracker put into a topic in a slice. */
function Documents({ answer, slice, topic }: { answer: TopicAnswer; slice: TopicSliceJson; topic: number }) {
  const { query } = usePlace();
  const words = {
    asOf: answer.asOf,
    slices: query.get('slices') ?? 'iso-week',
    slice: slice.id,
    limit: shownDocuments,
  };
  const found = useAsk<TopicDocuments>(`/v1/topics/${topic}/documents${queryText(words)}`);
  return (
    <>
      <h3>
        Documents of topic {topic} in {slice.id}
      </h3>
      <Answer of={found}>
        {({ total, documents }) =>
          total === 0 ? (
            <p class="quiet">It had none in this slice.</p>
          ) : (
            <Table
              caption={`${total > documents.length ? `The first ${documents.length} of ${count(total)}` : count(total)} that the tracker put there, as they were when the slice was known`}
              head={['Document', 'Happened', 'Text']}
              rows={documents.map((document) => [
                document.title ?? document.id,
                moment(document.eventAt),
                document.text.slice(0, 240),
              ])}
            />
          )
        }
      </Answer>
    </>
  );
}

/** Volumes of the topics that have a band, slice by slice, and of all others together. */
function streamPoints(
  slices: readonly TopicSliceJson[],
  inGraph: readonly TopicSummary[],
  hasOthers: boolean,
): StreamPoint[] {
  return slices.flatMap((slice) => {
    const byTopic = new Map(slice.points.map((point) => [point.topic, point]));
    const start = Date.parse(slice.start);
    const own = inGraph.map((summary) => {
      const point = byTopic.get(summary.topic);
      return { topic: nameOf(summary), start, size: point?.size ?? 0, label: point?.label ?? null };
    });
    if (!hasOthers) return own;
    const sum = (sizes: readonly { readonly size: number }[]) => sizes.reduce((total, { size }) => total + size, 0);
    return [...own, { topic: others, start, size: sum(slice.points) - sum(own), label: null }];
  });
}

function largestTopics(slices: readonly TopicSliceJson[]): TopicSummary[] {
  const topics = new Map<number, { documents: number; terms: Map<string, number>; last: TopicSliceJson }>();
  for (const slice of slices) {
    for (const { topic, size, terms } of slice.points) {
      const known = topics.get(topic) ?? { documents: 0, terms: new Map<string, number>(), last: slice };
      known.documents += size;
      known.last = slice;
      for (const [place, term] of terms.entries())
        known.terms.set(term, (known.terms.get(term) ?? 0) + size / (place + 1));
      topics.set(topic, known);
    }
  }
  return Array.from(topics, ([topic, { documents, terms, last }]) => ({
    topic,
    documents,
    last,
    terms: [...terms].sort((a, b) => b[1] - a[1]).map(([term]) => term),
  })).sort((a, b) => b.documents - a.documents || a.topic - b.topic);
}

function nameOf({ topic, terms }: TopicSummary): string {
  return `${topic}: ${terms.slice(0, 2).join(', ')}`;
}

function labelText(label: string | null, provisional: boolean): string {
  if (provisional) return 'not over yet';
  return label === null ? '–' : `${labelMarks[label] ?? ''} ${label}`.trim();
}
