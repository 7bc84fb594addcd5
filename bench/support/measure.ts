/** What one run of something took. The processor's time says more where a machine is shared. */
export interface Spent {
  /** By the clock. */
  readonly milliseconds: number;
  /** Of the processor, over all threads of the process. */
  readonly cpuMilliseconds: number;
}

/** A Python peer's account of a run. */
export interface PeerSpent {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

export interface ContestantSummary {
  readonly name: string;
  /** Medians over the rounds. */
  readonly milliseconds: number;
  readonly cpuMilliseconds: number;
  readonly fastestMilliseconds: number;
  /** How many times as long as the base it takes, by the medians. */
  readonly ratio: number;
  readonly cpuRatio: number;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
}

export async function timed<T>(action: () => Promise<T>): Promise<{ spent: Spent; result: T }> {
  const cpuStart = process.cpuUsage();
  const start = performance.now();
  const result = await action();
  const milliseconds = performance.now() - start;
  const { user, system } = process.cpuUsage(cpuStart);
  return { spent: { milliseconds, cpuMilliseconds: (user + system) / 1000 }, result };
}

export function spentByPeer({ seconds, cpuSeconds }: PeerSpent, factor = 1): Spent {
  return { milliseconds: seconds * 1000 * factor, cpuMilliseconds: cpuSeconds * 1000 * factor };
}

/** What each contestant spent, round by round: they take turns, so that a busy machine slows all alike. */
export class Rounds {
  readonly #spent = new Map<string, Spent[]>();

  add(name: string, spent: Spent): void {
    this.#spent.set(name, [...(this.#spent.get(name) ?? []), spent]);
  }

  /** @param base the contestant that ratios compare with */
  summary(base: string): ContestantSummary[] {
    const medians = (name: string) => {
      const spent = this.#spent.get(name) ?? [];
      return {
        milliseconds: median(spent.map(({ milliseconds }) => milliseconds)),
        cpuMilliseconds: median(spent.map(({ cpuMilliseconds }) => cpuMilliseconds)),
        fastestMilliseconds: Math.min(...spent.map(({ milliseconds }) => milliseconds)),
      };
    };
    const reference = medians(base);
    return [...this.#spent.keys()].map((name) => {
      const own = medians(name);
      return {
        name,
        ...own,
        ratio: own.milliseconds / reference.milliseconds,
        cpuRatio: own.cpuMilliseconds / reference.cpuMilliseconds,
      };
    });
  }
}

/** One line a contestant. */
export function formatSummary({ name, ratio, cpuRatio, ...spent }: ContestantSummary): string {
  const times = `${spent.milliseconds.toFixed(1)} ms (fastest ${spent.fastestMilliseconds.toFixed(1)})`;
  return `${name.padEnd(16)} ${times}, ${ratio.toFixed(2)} x; processor ${spent.cpuMilliseconds.toFixed(1)} ms, ${cpuRatio.toFixed(2)} x`;
}
