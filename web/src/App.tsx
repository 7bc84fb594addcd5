import { useEffect, useState } from 'preact/hooks';
import { followLinks, usePlace } from './lib/router.js';
import { Audit } from './pages/Audit.js';
import { Replay } from './pages/Replay.js';
import { Replays } from './pages/Replays.js';
import { Search } from './pages/Search.js';
import { Topics } from './pages/Topics.js';

const pages = [
  { path: 'search', name: 'Search' },
  { path: 'topics', name: 'Topics' },
  { path: 'replays', name: 'Replays' },
  { path: 'audit', name: 'Audit' },
] as const;

export function App() {
  const { path } = usePlace();
  const [page = 'search', item] = path;
  const name = pages.find((known) => known.path === page)?.name ?? 'Nothing here';
  useEffect(() => {
    document.title = item === undefined ? `${name} · asof` : `${item} · ${name} · asof`;
  }, [name, item]);
  return (
    // Links are followed by one listener; they work with the keyboard as links do.
    // biome-ignore lint/a11y/useKeyWithClickEvents: a key on a link makes a click
    // biome-ignore lint/a11y/noStaticElementInteractions: the links inside are what is interacted with
    <div onClick={followLinks}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href="/">
          asof
        </a>
        <nav aria-label="Pages">
          <ul>
            {pages.map(({ path: target, name: label }) => (
              <li key={target}>
                <a href={`/${target}`} aria-current={target === page ? 'page' : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <a class="api-link" href="/docs/">
          API
        </a>
        <ThemeButton />
      </header>
      <main id="main" tabIndex={-1}>
        {page === 'search' && <Search />}
        {page === 'topics' && <Topics />}
        {page === 'replays' && (item === undefined ? <Replays /> : <Replay name={item} />)}
        {page === 'audit' && <Audit name={item} />}
        {name === 'Nothing here' && <h1>Nothing is at this address</h1>}
      </main>
    </div>
  );
}

const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(() => (localStorage.getItem('asof.theme') as Theme | null) ?? 'auto');
  useEffect(() => {
    localStorage.setItem('asof.theme', theme);
    if (theme === 'auto') document.documentElement.removeAttribute('data-theme');
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length]!;
  return (
    <button
      type="button"
      class="theme"
      onClick={() => setTheme(next)}
      aria-label={`Theme: ${theme}; change to ${next}`}
    >
      {theme === 'auto' ? 'Auto' : theme === 'light' ? 'Light' : 'Dark'}
    </button>
  );
}
