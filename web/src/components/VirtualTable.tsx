import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiError, ask, queryText } from '../lib/api.js';
import { Failure } from './states.js';

/** Cells of a row in the order of the table's columns. */
export type Cells = readonly unknown[];

export interface PageOfRows {
  readonly total: number;
  readonly columns: readonly string[];
  readonly rows: readonly Cells[];
}

interface Props {
  readonly label: string;
  /** Address and parameters of the rows, but for offset and limit. */
  readonly address: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Headings by column name; only these columns are shown, in this order. */
  readonly columns: readonly {
    readonly name: string;
    readonly heading: string;
    readonly render?: (value: unknown) => string;
  }[];
  readonly isSelected?: (row: Cells, columns: readonly string[]) => boolean;
  /** Called with the number of rows, once it is known. */
  readonly onTotal?: (total: number) => void;
  readonly onSelect?: (row: Cells, columns: readonly string[]) => void;
}

const rowHeight = 32;
/** Of a column, at least; a narrow page scrolls. */
const columnWidth = 96;
const pageRows = 200;
const visibleRows = 13;
/** Pages kept; those farthest from the view go first. */
const pagesKept = 30;

/**
 * A table of any length: only the rows in view are in the document, and only the pages around them are loaded. Arrow
 * keys, page keys, Home and End move, Enter selects.
 */
export function VirtualTable({ label, address, parameters, columns, isSelected, onTotal, onSelect }: Props) {
  const source = `${address}${queryText(parameters)}`;
  const [total, setTotal] = useState<number | undefined>();
  const [names, setNames] = useState<readonly string[]>([]);
  const [first, setFirst] = useState(0);
  const [active, setActive] = useState(0);
  const [, setLoaded] = useState(0);
  const [error, setError] = useState<ApiError | undefined>();
  const pages = useRef(new Map<number, readonly Cells[] | 'loading'>());
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    pages.current = new Map();
    setTotal(undefined);
    setError(undefined);
    setFirst(0);
    setActive(0);
    scroller.current?.scrollTo({ top: 0 });
  }, [source]);
  useEffect(() => {
    if (error !== undefined) return;
    const held = pages.current;
    const load = (page: number) => {
      if (held.has(page)) return;
      held.set(page, 'loading');
      const separator = source.includes('?') ? '&' : '?';
      ask<PageOfRows>(`${source}${separator}offset=${page * pageRows}&limit=${pageRows}`).then(
        (answer) => {
          if (pages.current !== held) return;
          held.set(page, answer.rows);
          if (held.size > pagesKept) held.delete(farthestFrom(page, held.keys()));
          setTotal(answer.total);
          onTotal?.(answer.total);
          setNames(answer.columns);
          setLoaded((count) => count + 1);
        },
        (failure: ApiError) => {
          held.delete(page);
          if (pages.current === held) setError(failure);
        },
      );
    };
    for (const row of [first, first + visibleRows]) {
      if (total === undefined || row < total || row < pageRows) load(Math.floor(row / pageRows));
    }
  }, [source, first, total, error]);

  if (error !== undefined) return <Failure error={error} again={() => setError(undefined)} />;
  if (total === 0) return <p class="quiet">No row fits.</p>;
  const rowAt = (index: number): Cells | undefined => {
    const page = pages.current.get(Math.floor(index / pageRows));
    return page === undefined || page === 'loading' ? undefined : page[index % pageRows];
  };
  const move = (to: number) => {
    const next = Math.max(0, Math.min((total ?? 1) - 1, to));
    setActive(next);
    const view = scroller.current!;
    const top = next * rowHeight;
    if (top < view.scrollTop) view.scrollTo({ top });
    else if (top + 2 * rowHeight > view.scrollTop + view.clientHeight)
      view.scrollTo({ top: top + 2 * rowHeight - view.clientHeight });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: visibleRows, PageUp: -visibleRows };
    const row = rowAt(active);
    if (event.key in steps) move(active + steps[event.key]!);
    else if (event.key === 'Home') move(0);
    else if (event.key === 'End') move((total ?? 1) - 1);
    else if (event.key === 'Enter' && row !== undefined) onSelect?.(row, names);
    else return;
    event.preventDefault();
  };
  const shown = Math.min(visibleRows + 2, (total ?? 0) - first);
  const template = {
    gridTemplateColumns: `repeat(${columns.length}, minmax(${columnWidth}px, 1fr))`,
    minWidth: `${columns.length * columnWidth}px`,
  };
  return (
    <div
      class="virtual"
      role="grid"
      aria-label={label}
      aria-rowcount={(total ?? 0) + 1}
      aria-activedescendant={`row-${active}`}
      tabIndex={0}
      ref={scroller}
      style={{ height: `${(Math.min(visibleRows, total ?? visibleRows) + 1) * rowHeight + 2}px` }}
      onKeyDown={onKeyDown}
      onScroll={(event) => setFirst(Math.floor(event.currentTarget.scrollTop / rowHeight))}
    >
      <div role="row" aria-rowindex={1} class="virtual-row head" style={template}>
        {columns.map(({ name, heading }) => (
          <span role="columnheader" key={name}>
            {heading}
          </span>
        ))}
      </div>
      <div role="rowgroup" style={{ height: `${(total ?? 0) * rowHeight}px`, position: 'relative' }}>
        {Array.from({ length: Math.max(0, shown) }, (_, at) => first + at).map((index) => {
          const row = rowAt(index);
          const selected = row !== undefined && isSelected?.(row, names) === true;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys
            <div
              key={index}
              id={`row-${index}`}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={selected}
              class={`virtual-row${index === active ? ' active' : ''}${selected ? ' selected' : ''}`}
              style={{ ...template, top: `${index * rowHeight}px` }}
              onClick={() => {
                setActive(index);
                if (row !== undefined) onSelect?.(row, names);
              }}
            >
              {columns.map(({ name, render }) => {
                const value = row?.[names.indexOf(name)];
                const text = row === undefined ? '…' : render === undefined ? String(value ?? '–') : render(value);
                return (
                  <span role="gridcell" key={name} title={text}>
                    <bdi>{text}</bdi>
                  </span>
                );
              })}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function farthestFrom(page: number, pages: Iterable<number>): number {
  return [...pages].reduce((far, other) => (Math.abs(other - page) > Math.abs(far - page) ? other : far));
}
