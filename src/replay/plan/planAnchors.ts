import { type Products, productOf } from '../../corpus/products.js';
import type { EventLog } from '../../memory/eventLog.js';
import type { Experiment } from '../experiment/experiment.js';
import type { StreamKind } from '../streams/stream.js';
import { type Anchor, naturalAnchors, windowAnchors } from './anchors.js';

export interface AnchorPlan {
  readonly anchors: readonly Anchor[];
  /** Anchors left out because no asset of their product was available by then. */
  readonly skipped: number;
}

/**
 * Anchors of a stream: windows, or every balanced position of a natural stream; without those whose product was not yet
 * there, since no ranking could be right (only the as-of reading of the corpus has such).
 */
export function planAnchors(
  kind: StreamKind,
  log: EventLog,
  experiment: Pick<Experiment, 'anchorsPerWindow' | 'naturalMinimum' | 'capacity'>,
  products: Products,
  visibleRows: Uint32Array,
): AnchorPlan {
  const planned =
    kind === 'natural'
      ? naturalAnchors(log.observedAt, experiment.naturalMinimum || experiment.capacity)
      : windowAnchors(log.size, experiment.anchorsPerWindow);
  const anchors = planned.filter(({ position }) => {
    const request = log.requestAt[position]!;
    const first = productOf(products, request)[0];
    return first !== undefined && first < visibleRows[request]!;
  });
  return { anchors, skipped: planned.length - anchors.length };
}
