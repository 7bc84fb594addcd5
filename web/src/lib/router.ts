import { useEffect, useState } from 'preact/hooks';

/** Where the user is. The address holds the whole view, so that a link shows what its sender saw. */
export interface Place {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

const moved = 'asof:moved';

function here(): Place {
  const path = location.pathname.split('/').filter((part) => part !== '');
  return { path: path.map(decodeURIComponent), query: new URLSearchParams(location.search) };
}

/** The current place; the component is rendered again when it changes. */
export function usePlace(): Place {
  const [place, setPlace] = useState(here);
  useEffect(() => {
    const update = () => setPlace(here());
    addEventListener('popstate', update);
    addEventListener(moved, update);
    return () => {
      removeEventListener('popstate', update);
      removeEventListener(moved, update);
    };
  }, []);
  return place;
}

/** Goes to an address of this page. */
export function go(address: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  dispatchEvent(new Event(moved));
}

/** Changes parameters of the view in the address; undefined and empty take one out. */
export function setView(changes: Readonly<Record<string, string | number | undefined>>, replace = true): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') query.delete(name);
    else query.set(name, String(value));
  }
  const text = query.toString();
  go(`${location.pathname}${text === '' ? '' : `?${text}`}`, { replace });
}

/** Follows links inside the page without loading it again. */
export function followLinks(event: MouseEvent): void {
  const link = (event.target as Element).closest('a');
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.defaultPrevented;
  if (link === null || !isPlain || link.origin !== location.origin || link.target !== '') return;
  if (link.hasAttribute('download') || /^\/(v1|docs|openapi|metrics)/.test(link.pathname)) return;
  if (link.hash !== '' && link.pathname === location.pathname) return;
  event.preventDefault();
  go(link.pathname + link.search);
  document.querySelector<HTMLElement>('main')?.focus();
}
