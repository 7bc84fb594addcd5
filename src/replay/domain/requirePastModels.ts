import { InvalidInputError } from '../../errors/InvalidInputError.js';
import { ModelLineage } from '../../lineage/ModelLineage.js';
import { formatInstant } from '../../time/formatInstant.js';
import type { Experiment } from '../experiment/experiment.js';
import type { PlannedStream } from '../runSink.js';
import type { ReplayDomain } from './domain.js';

/**
 * Refuses a replay as of a time at which its models were not there: under the as-of reading every version that takes part,
 * with all its ancestors, precedes the first anchor strictly, unless it is declared frozen (PIT Discovery section 7).
 * @throws InvalidInputError naming the version, its date and the first anchor
 */
export function requirePastModels(
  domain: ReplayDomain,
  streams: readonly PlannedStream[],
  experiment: Experiment,
): void {
  if (experiment.corpus !== 'as-of') return;
  const lineage = new ModelLineage(domain.models.versions);
  const states = domain.models.states.flat();
  for (const { log, plan } of streams) {
    const [first] = plan.anchors;
    if (first === undefined) continue;
    const firstAt = log.observedAt[first.position]!;
    for (const { id } of states) {
      const { newestAt, path, undated } = lineage.reach(id);
      const offender = undated ?? (newestAt >= firstAt ? path.at(-1) : undefined);
      if (offender === undefined) continue;
      const date = offender === undated ? 'no date' : `available ${formatInstant(newestAt)}`;
      throw new InvalidInputError({
        location: { file: domain.name, field: offender.kind },
        value: `${offender.name} (${date})`,
        expected: `what was there before the first anchor, ${formatInstant(firstAt)}: set availableAt of the embedder if it is wrong, or models: frozen, which the certificate then says`,
      });
    }
  }
}
