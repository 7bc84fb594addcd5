import { dot, gridX, ruleX, text } from '@observablehq/plot';
import { useCallback } from 'preact/hooks';
import type { AnchorDetails, SelectedEvent, AnchorView as View } from '../../../src/store/runs/readAnchor.js';
import { colours, PlotFigure } from '../charts/PlotFigure.js';
import { Answer } from '../components/states.js';
import { Table } from '../components/Table.js';
import { queryText } from '../lib/api.js';
import { count, hash, isolate, moment } from '../lib/format.js';
import { setView, usePlace } from '../lib/router.js';
import { useAsk } from '../lib/useAsk.js';

/** One anchor: what each view of memory selected on the time axis, and what that moved in the ranking. */
export function AnchorView({
  run,
  shard,
  position,
}: {
  run: string;
  shard: Readonly<Record<string, unknown>>;
  position: string;
}) {
  const anchor = useAsk<AnchorDetails>(
    `/v1/runs/${encodeURIComponent(run)}/anchors/${position}${queryText({ ...shard, depth: 20 })}`,
  );
  return <Answer of={anchor}>{(details) => <Details anchor={details} />}</Answer>;
}

function Details({ anchor }: { anchor: AnchorDetails }) {
  const { query } = usePlace();
  const names = anchor.views.map(({ condition }) => condition);
  const chosen =
    anchor.views.find(({ condition }) => condition === query.get('view')) ??
    anchor.views.find(({ condition }) => condition === 'Future') ??
    anchor.views[0]!;
  const when = anchor.clockKind === 'recorded' ? moment(anchor.clock) : `position ${count(anchor.position)}`;
  return (
    <section aria-label="Anchor" class="anchor">
      <h2>
        Request <bdi>{anchor.request.id}</bdi> <span class="quiet">at {when}</span>
      </h2>
      <p dir="auto">{anchor.request.text ?? <span class="quiet">The run keeps hashes of texts only.</span>}</p>
      <h3>What each memory selected</h3>
      <ul class="legend">
        <li>
          <span class="mark pit" /> observed before the anchor
        </li>
        <li>
          <span class="mark future" /> not before it: no past-only memory may hold it
        </li>
      </ul>
      <SelectionPlot anchor={anchor} />
      <p>
        <label>
          Memory{' '}
          <select value={chosen.condition} onChange={(event) => setView({ view: event.currentTarget.value })}>
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>{' '}
        <span class="quiet">
          {chosen.selected.length} selected, {chosen.futureSlots} of them from the future, TVR{' '}
          {chosen.temporalViolationRate.toFixed(3)}
        </span>
      </p>
      <div class="columns">
        <Ranking view={chosen} />
        <Selected view={chosen} clockKind={anchor.clockKind} />
      </div>
    </section>
  );
}

function SelectionPlot({ anchor }: { anchor: AnchorDetails }) {
  const held = anchor.views.filter(({ condition }) => condition !== 'Stateless');
  const isRecorded = anchor.clockKind === 'recorded';
  const options = useCallback(() => {
    const data = held.flatMap((view) => view.selected.map((event) => ({ ...event, condition: view.condition })));
    const at = (event: SelectedEvent) => (isRecorded ? new Date(event.newestDependencyAt) : event.position);
    const line = isRecorded ? new Date(anchor.clock) : anchor.position;
    return {
      height: 46 + held.length * 26,
      marginLeft: 90,
      marginTop: 22,
      x: {
        label: isRecorded ? 'observed at' : 'position in the stream',
        inset: 10,
        ...(isRecorded ? {} : { domain: [0, anchor.events] }),
      },
      y: { domain: held.map(({ condition }) => condition), label: null, padding: 0.2 },
      marks: [
        gridX({ stroke: colours.grid, strokeOpacity: 1 }),
        ruleX([line], { stroke: colours.ink, strokeWidth: 1.5 }),
        text([line], { x: (d) => d, frameAnchor: 'top', dy: -14, text: () => 'anchor', fill: colours.ink }),
        dot(data, {
          x: at,
          y: 'condition',
          r: (event: SelectedEvent) => event.similarity,
          fill: (event: SelectedEvent) => (event.isFuture ? colours.future : colours.pit),
          symbol: (event: SelectedEvent) => (event.isFuture ? 'square' : 'circle'),
          fillOpacity: 0.75,
          title: (event: SelectedEvent) => `${isolate(event.id)}, similarity ${event.similarity.toFixed(3)}`,
        }),
      ],
      r: { range: [2, 6], domain: [0, 1] },
      symbol: { legend: false },
    };
  }, [anchor]);
  const words = held.map(
    ({ condition, selected, futureSlots }) =>
      `${condition}: ${selected.length} selected, ${futureSlots} from the future`,
  );
  return <PlotFigure label={`Selected events on the time axis. ${words.join('. ')}`} options={options} />;
}

function Ranking({ view }: { view: View }) {
  return (
    <Table
      caption={`Ranking with ${view.condition} memory, and where it was in the base list`}
      head={['Rank', 'Asset', 'Type', 'Base', 'Moved']}
      rows={view.ranking.map((asset, index) => {
        const rank = index + 1;
        const moved =
          asset.baseRank === null
            ? 'new'
            : asset.baseRank === rank
              ? '·'
              : asset.baseRank > rank
                ? `▲ ${asset.baseRank - rank}`
                : `▼ ${rank - asset.baseRank}`;
        return [
          rank,
          <span class={asset.isRelevant ? 'relevant' : ''}>
            <bdi>{asset.id}</bdi>
            {asset.isRelevant && <span class="tag">relevant</span>}
          </span>,
          asset.type,
          asset.baseRank ?? 'not in it',
          moved,
        ];
      })}
    />
  );
}

function Selected({ view, clockKind }: { view: View; clockKind: AnchorDetails['clockKind'] }) {
  if (view.selected.length === 0) return <p class="quiet">{view.condition} memory held nothing.</p>;
  return (
    <Table
      caption={`What ${view.condition} memory held (selection ${hash(view.selectionHash)})`}
      head={['Event', 'Position', 'Observed', 'Similarity', '']}
      rows={view.selected.map((event) => [
        event.id,
        count(event.position),
        clockKind === 'recorded' ? moment(event.observedAt) : '–',
        event.similarity.toFixed(3),
        event.isFuture ? <strong class="future-text">future</strong> : 'past',
      ])}
    />
  );
}
