import { setView } from '../lib/router.js';

/** Parts of a page, one shown at a time; the address says which. Arrow keys move between them. */
export function Tabs<T extends string>({
  tabs,
  current,
  label,
}: {
  tabs: readonly (readonly [T, string])[];
  current: T;
  label: string;
}) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const at = tabs.findIndex(([id]) => id === current);
    const [next] = tabs[(at + step + tabs.length) % tabs.length]!;
    setView({ tab: next });
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <div role="tablist" aria-label={label} class="tabs" onKeyDown={onKeyDown}>
      {tabs.map(([id, name]) => (
        <button
          type="button"
          role="tab"
          id={`tab-${id}`}
          key={id}
          aria-selected={id === current}
          aria-controls="panel"
          tabIndex={id === current ? 0 : -1}
          onClick={() => setView({ tab: id })}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
