import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type ApiError, token } from '../lib/api.js';
import type { Asked } from '../lib/useAsk.js';

/** Shows an answer, or why there is none yet. The last answer stays, dimmed, while a newer one is on its way. */
export function Answer<T>({ of, children }: { of: Asked<T>; children: (data: T) => ComponentChildren }) {
  if (of.error !== undefined) return <Failure error={of.error} again={of.again} />;
  if (of.data === undefined) return <Loading />;
  return (
    <div class={of.isLoading ? 'stale' : ''} aria-busy={of.isLoading}>
      {children(of.data)}
    </div>
  );
}

export function Loading() {
  return (
    <div class="loading" role="status">
      <span class="visually-hidden">Loading</span>
      <div class="bone wide" />
      <div class="bone" />
      <div class="bone short" />
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

export function Failure({ error, again }: { error: ApiError; again: () => void }) {
  if (error.status === 401) return <TokenForm again={again} />;
  if (error.code === 'ASOF_MISSING_RESOURCE') return <Empty title="Not here">{<p>{error.message}</p>}</Empty>;
  return (
    <div class="failure" role="alert">
      <p class="empty-title">This did not work</p>
      <p>{error.message}</p>
      <p class="quiet">{error.code}</p>
      <button type="button" onClick={again}>
        Try again
      </button>
    </div>
  );
}

function TokenForm({ again }: { again: () => void }) {
  const [text, setText] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    token.set(text);
    again();
  };
  return (
    <form class="empty" onSubmit={submit}>
      <p class="empty-title">This server asks for its token</p>
      <label>
        Token{' '}
        <input
          type="password"
          autocomplete="off"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>{' '}
      <button type="submit">Go on</button>
    </form>
  );
}
