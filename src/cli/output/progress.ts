import cliProgress from 'cli-progress';
import type { CliContext } from '../context.js';

/** Progress for a person who is looking: stages as lines, work in a bar, on stderr. Silent when nobody is. */
export interface Progress {
  stage(text: string): void;
  update(done: number, total: number, unit: string, label: string): void;
  stop(): void;
}

/** A bar redrawn at most ten times a second on a terminal; nothing elsewhere. */
export function progressFor({ stderr }: CliContext): Progress {
  if (stderr.isTTY !== true) return { stage() {}, update() {}, stop() {} };
  let bar: cliProgress.SingleBar | undefined;
  const stop = () => {
    bar?.stop();
    bar = undefined;
  };
  return {
    stage(text) {
      stop();
      stderr.write(`${text}\n`);
    },
    update(done, total, unit, label) {
      if (total === 0) return;
      if (bar === undefined) {
        bar = new cliProgress.SingleBar({
          format: '{bar} {percentage}% | {value}/{total} {unit} | {eta_formatted} left | {label}',
          stream: stderr as NodeJS.WritableStream,
          hideCursor: true,
          clearOnComplete: true,
        });
        bar.start(total, done, { unit, label });
      }
      bar.update(done, { unit, label });
      if (done === total) stop();
    },
    stop,
  };
}
