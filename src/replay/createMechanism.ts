import type { Products } from '../corpus/products.js';
import { FeedbackMechanism } from '../memory/mechanisms/feedback.js';
import type { MechanismContext, MemoryMechanism } from '../memory/mechanisms/mechanism.js';
import { TraceMechanism } from '../memory/mechanisms/trace.js';
import { newRankedBlock } from '../retrieval/ranking.js';
import type { MechanismSpec } from './experiment.js';
import { createModuleMechanism } from './mechanismModule.js';

/**
 * Builds the mechanism that a specification names; only the feedback oracle is handed the products.
 * @throws MissingResourceError when it is a module that has not been loaded
 */
export function createMechanism(spec: MechanismSpec, context: MechanismContext, products: Products): MemoryMechanism {
  switch (spec.kind) {
    case 'trace':
      return new TraceMechanism(context, spec);
    case 'feedback':
      return new FeedbackMechanism(context, products, spec);
    case 'module':
      return createModuleMechanism(spec, context);
  }
}

/** What a mechanism says of itself; it is the same over every corpus. */
export function describeMechanism(spec: MechanismSpec): Omit<MemoryMechanism, 'rank'> {
  const context = { traces: newRankedBlock(0, 0), traceDepth: 0, idOrder: new Uint32Array(0) };
  return createMechanism(spec, context, { offsets: new Uint32Array(1), rows: new Uint32Array(0) });
}
