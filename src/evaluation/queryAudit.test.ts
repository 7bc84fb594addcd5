import { describe, expect, it } from 'vitest';
import { auditQueries } from './queryAudit.js';

describe('query audit', () => {
  it('reports queries without gold, gold without a run and unknown gold ids, each by name (case 26)', () => {
    const gold = new Map([
      ['scored', ['a', 'ghost']],
      ['unrun', ['a']],
      ['empty', []],
      ['lost', ['ghost', 'another ghost']],
      ['unrun and lost', ['ghost']],
    ]);
    expect(auditQueries(['scored', 'lost', 'unlabelled', 'empty'], gold, (id) => id === 'a')).toEqual({
      scored: ['scored'],
      withoutGold: ['empty', 'lost', 'unlabelled'],
      withoutRun: ['unrun', 'unrun and lost'],
      unknownGold: [
        { query: 'lost', id: 'another ghost' },
        { query: 'lost', id: 'ghost' },
        { query: 'scored', id: 'ghost' },
        { query: 'unrun and lost', id: 'ghost' },
      ],
    });
  });

  it('does not depend on the order of its inputs', () => {
    const gold: [string, string[]][] = [
      ['b', ['x', 'y']],
      ['a', ['y']],
    ];
    const forward = auditQueries(['a', 'b', 'c'], new Map(gold), () => false);
    expect(auditQueries(['c', 'b', 'a'], new Map(gold.toReversed()), () => false)).toEqual(forward);
  });
});
