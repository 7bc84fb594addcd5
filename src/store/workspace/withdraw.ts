import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { formatInstant } from '../../time/formatInstant.js';
import type { Instant } from '../../time/instant.js';
import { checkInstant } from './checkInstant.js';
import type { WriterContext } from './ingest.js';
import { lateArrival } from './lateArrival.js';
import { Staging } from './staging.js';
import { type CommitRecord, settledUpTo } from './state.js';
import { withSegment } from './withSegment.js';

/** When a withdrawal takes effect, and when it is made. */
export interface WithdrawOptions {
  /** The instant of the withdrawal: materialisation time. */
  readonly now: Instant;
  /** First instant at which the assets are no longer available; `now` by default. */
  readonly at?: Instant | undefined;
  /** Whether `at` may lie before what the log has answered already, and so change answers about the past. */
  readonly backfill?: boolean | undefined;
}

/**
 * Ends the availability of assets: absent at `at`, present before it. All of them or none.
 *
 * @param isCurrent whether an asset is current as of an instant
 * @throws InvalidArgumentError for an asset that is not current as of `at`; for an `at` that changes the past without
 * `backfill`
 */
export async function withdrawAssets(
  writer: WriterContext,
  ids: readonly string[],
  options: WithdrawOptions,
  isCurrent: (id: string, t: Instant) => Promise<boolean>,
): Promise<CommitRecord> {
  const { now, at = now, backfill = false } = options;
  checkInstant('now', now);
  checkInstant('at', at);
  if (ids.length === 0) throw new InvalidArgumentError({ argument: 'id', value: undefined, expected: 'ids of assets' });
  for (const id of ids) {
    if (await isCurrent(id, at)) continue;
    const expected = `an asset that is current as of ${formatInstant(at)}`;
    throw new InvalidArgumentError({ argument: 'id', value: id, expected });
  }
  const staging = await Staging.open(writer.folder);
  try {
    for (const id of ids) staging.add({ id, content: undefined, availableAt: at, withdrawnAt: at, line: 0 });
    const settledAt = settledUpTo(writer.state);
    const change = await staging.compare(writer.state, now, settledAt, true);
    if (change.firstLate !== undefined && !backfill) {
      throw lateArrival(`withdrawal of ${change.firstLate.id}`, change, Math.min(settledAt!, now));
    }
    const written = await staging.write(writer.state, now);
    const { added, versions, unchanged, replaced, withdrawn, late, ahead } = change;
    const counts = { read: 0, added, versions, unchanged, replaced, rejected: 0, withdrawn, late, ahead };
    const state = withSegment(writer.state, written!, {
      kind: 'withdraw',
      at: now,
      source: null,
      sourceSha256: null,
      ...counts,
    });
    await writer.publish(state);
    return state.commits.at(-1)!;
  } finally {
    await staging.close();
  }
}
