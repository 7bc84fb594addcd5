import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * A plain table with a caption. One wider than its place scrolls by itself, with the keyboard too, and shows at its edges
 * that there is more. Texts in cells are isolated: in whichever direction they run, they turn nothing around them.
 */
export function Table({
  caption,
  head,
  rows,
  sentences = [],
}: {
  caption: string;
  head: readonly string[];
  rows: readonly (readonly ComponentChildren[])[];
  /** Places of columns that hold sentences, which a narrow table must not squeeze to a word a line. */
  sentences?: readonly number[];
}) {
  const place = useRef<HTMLElement>(null);
  const [more, setMore] = useState('');
  const look = () => {
    // Sizes may still be told of a table that is gone.
    if (place.current === null) return;
    const { scrollLeft, scrollWidth, clientWidth } = place.current;
    const left = scrollLeft > 1 ? ' more-before' : '';
    setMore(scrollLeft + clientWidth < scrollWidth - 1 ? `${left} more-after` : left);
  };
  useEffect(() => {
    const observer = new ResizeObserver(look);
    observer.observe(place.current!);
    observer.observe(place.current!.firstElementChild!);
    return () => observer.disconnect();
  }, []);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by keyboard
    <section class={`scroll${more}`} tabIndex={0} aria-label={caption} ref={place} onScroll={look}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {head.map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, index) => (
            <tr key={index}>
              {cells.map((cell, at) =>
                at === 0 ? (
                  <th scope="row" key={at} class={sentences.includes(at) ? 'sentence' : undefined}>
                    {isolated(cell)}
                  </th>
                ) : (
                  <td key={at} class={sentences.includes(at) ? 'sentence' : undefined}>
                    {isolated(cell)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function isolated(cell: ComponentChildren): ComponentChildren {
  return typeof cell === 'string' ? <bdi>{cell}</bdi> : cell;
}
