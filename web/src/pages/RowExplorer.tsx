import { useState } from 'preact/hooks';
import { Answer } from '../components/states.js';
import { VirtualTable } from '../components/VirtualTable.js';
import { count, isolate } from '../lib/format.js';
import { setView, usePlace } from '../lib/router.js';
import { useAsk } from '../lib/useAsk.js';
import { AnchorView } from './AnchorView.js';

interface Shard {
  readonly domain: string;
  readonly stream: string;
  readonly seed: number;
  readonly retriever: string;
  readonly mechanism: string;
  readonly rows: number;
}

const sorts = [
  ['', 'order of the stream'],
  ['-future_slots', 'most future entries'],
  ['-tvr', 'highest violation rate'],
  ['-slots_filled', 'fullest memory'],
] as const;

const columns = [
  { name: 'anchor_position', heading: 'Position' },
  { name: 'request_id', heading: 'Request' },
  { name: 'condition', heading: 'Condition' },
  { name: 'slots_filled', heading: 'Slots' },
  { name: 'future_slots', heading: 'Future' },
  { name: 'tvr', heading: 'TVR', render: (value: unknown) => (typeof value === 'number' ? value.toFixed(3) : '–') },
];

/** Rows of a run: pick an anchor, and see what each memory selected and made of it. */
export function RowExplorer({ run }: { run: string }) {
  const { query } = usePlace();
  const [total, setTotal] = useState<number | undefined>();
  const shards = useAsk<{ shards: Shard[]; conditions: string[] }>(`/v1/runs/${encodeURIComponent(run)}/shards`);
  return (
    <Answer of={shards}>
      {({ shards: list, conditions }) => {
        const at = Math.min(Number(query.get('shard') ?? 0) || 0, list.length - 1);
        const shard = list[at]!;
        const condition = query.get('condition') ?? (conditions.includes('Future') ? 'Future' : 'all');
        const anchor = query.get('anchor');
        const { rows, ...key } = shard;
        return (
          <>
            <div class="controls">
              <label>
                Shard{' '}
                <select
                  value={at}
                  onChange={(event) => setView({ shard: event.currentTarget.value, anchor: undefined })}
                >
                  {list.map((item, index) => (
                    <option value={index} key={index}>
                      {[item.domain, item.stream, `seed ${item.seed}`, item.retriever, item.mechanism]
                        .map(isolate)
                        .join(' · ')}
                    </option>
                  ))}
                </select>
              </label>
              <label>
                Rows of{' '}
                <select value={condition} onChange={(event) => setView({ condition: event.currentTarget.value })}>
                  {[...conditions, 'all'].map((name) => (
                    <option key={name}>{name}</option>
                  ))}
                </select>
              </label>
              <label>
                Sorted by{' '}
                <select
                  value={query.get('sort') ?? ''}
                  onChange={(event) => setView({ sort: event.currentTarget.value })}
                >
                  {sorts.map(([value, name]) => (
                    <option value={value} key={value}>
                      {name}
                    </option>
                  ))}
                </select>
              </label>
              <span class="quiet">
                {total === undefined || total === rows
                  ? `${count(rows)} rows in the shard`
                  : `${count(total)} of the ${count(rows)} rows in the shard`}
              </span>
            </div>
            <VirtualTable
              label="Rows of the shard; Enter opens an anchor"
              address={`/v1/runs/${encodeURIComponent(run)}/rows`}
              parameters={{ ...key, condition: condition === 'all' ? undefined : condition, sort: query.get('sort') }}
              columns={columns}
              onTotal={setTotal}
              isSelected={(row, names) => anchor !== null && String(row[names.indexOf('anchor_position')]) === anchor}
              onSelect={(row, names) => setView({ anchor: String(row[names.indexOf('anchor_position')]) })}
            />
            {anchor === null ? (
              <p class="quiet">Pick a row to see its anchor.</p>
            ) : (
              <AnchorView run={run} shard={key} position={anchor} />
            )}
          </>
        );
      }}
    </Answer>
  );
}
