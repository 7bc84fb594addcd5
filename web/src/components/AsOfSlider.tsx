import { useState } from 'preact/hooks';
import { type Timeline, VolumeChart } from '../charts/VolumeChart.js';
import { day, moment } from '../lib/format.js';

const dayLength = 86_400_000;

/** Chooses an instant over the corpus timeline: days on the slider, anything in the field. */
export function AsOfSlider({
  label,
  timeline,
  value,
  onChange,
}: {
  label: string;
  timeline: Timeline;
  /** Epoch milliseconds; the newest where the address holds no instant that can be read. */
  value: number;
  onChange: (instant: string) => void;
}) {
  const [dragged, setDragged] = useState<number | undefined>();
  if (timeline.first === null || timeline.last === null) return null;
  const first = Math.floor(Date.parse(timeline.first) / dayLength) * dayLength;
  const last = (Math.floor(Date.parse(timeline.last) / dayLength) + 1) * dayLength;
  const shown = dragged ?? (Number.isFinite(value) ? value : Date.parse(timeline.last));
  const slide = (text: string) => {
    const instant = Number(text);
    setDragged(instant);
    onChange(day(instant));
  };
  return (
    <div class="timeline">
      <div class="controls">
        <label>
          {label}{' '}
          <input
            type="date"
            value={day(shown)}
            onChange={(event) => {
              setDragged(undefined);
              if (event.currentTarget.value !== '') onChange(event.currentTarget.value);
            }}
          />
        </label>
        <span class="quiet">{moment(shown)}</span>
      </div>
      <VolumeChart timeline={timeline} from={first} to={last} />
      <input
        type="range"
        aria-label={`${label}, by day`}
        aria-valuetext={day(shown)}
        min={first}
        max={last}
        step={dayLength}
        value={Math.min(last, Math.max(first, shown))}
        onInput={(event) => slide(event.currentTarget.value)}
        onChange={() => setDragged(undefined)}
      />
    </div>
  );
}
