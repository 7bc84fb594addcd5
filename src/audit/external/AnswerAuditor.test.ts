import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerAuditor } from './AnswerAuditor.js';
import { EventGraphBuilder, type EventRecord } from './EventGraph.js';
import { ancestorsOf, graphOf } from './testing/graphs.js';

const place = { file: 1, line: 4 };
const answer = (askedAt: number | undefined, ...used: (string | undefined)[]) => ({ id: 'q', askedAt, used });

describe('AnswerAuditor', () => {
  it('equals the definition, max over Ancestors(m) of o(e) < o(q), for every entry of every answer', {
    timeout: 60_000,
  }, () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const events = fc.uniqueArray(
      fc.record({
        id: fc.constantFrom(...names),
        observedAt: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
        dependsOn: fc.array(fc.constantFrom(...names, 'x'), { maxLength: 2 }),
      }),
      { selector: ({ id }) => id },
    );
    const used = fc.array(fc.constantFrom(...names, 'x', 'y'), { maxLength: 5 });
    const askedAt = fc.option(fc.integer({ min: 0, max: 7 }), { nil: undefined });
    fc.assert(
      fc.property(events, used, askedAt, fc.integer({ min: 0, max: 2 }), (records, ids, time, skew) => {
        const builder = new EventGraphBuilder();
        for (const record of records) builder.add(record, { file: 0, line: 1 });
        const verdict = new AnswerAuditor(builder.freeze(), skew).audit({ id: 'q', askedAt: time, used: ids }, place);
        const kinds = [...new Set(ids)].map((id) => kindOf(id, records, time, skew));
        const count = (kind: string) => kinds.filter((found) => found === kind).length;
        expect(verdict.used).toBe(kinds.length);
        expect(verdict.offending).toBe(count('offence'));
        expect(verdict.unverifiable).toBe(count('gap'));
        expect(verdict.tvr).toBe(kinds.length === 0 ? 0 : count('offence') / kinds.length);
        expect(verdict.status).toBe(count('offence') > 0 ? 'violation' : count('gap') > 0 ? 'unverifiable' : 'pass');
        expect(verdict.firstOffence === null).toBe(count('offence') === 0);
        expect(verdict.firstGap === null).toBe(count('gap') === 0);
      }),
      { numRuns: 1000 },
    );
  });

  it('counts an event at the very instant of the answer as a violation, apart from the later ones (case 9)', () => {
    const auditor = new AnswerAuditor(graphOf(['before', 9], ['same', 10], ['after', 11]), 0);
    const verdict = auditor.audit(answer(10, 'before', 'same', 'after'), place);
    expect(verdict).toMatchObject({ status: 'violation', used: 3, offending: 2, sameInstant: 1, tvr: 2 / 3 });
    expect(verdict.firstOffence).toMatchObject({ reason: 'same-instant', entry: 'same', observedAt: 10 });
  });

  it('lets a click on an earlier request, observed after the answer, pass for nothing (case 10)', () => {
    const auditor = new AnswerAuditor(graphOf(['request', 5], ['click', 20, 'request']), 0);
    expect(auditor.audit(answer(10, 'request'), place).status).toBe('pass');
    expect(auditor.audit(answer(10, 'click'), place).firstOffence).toMatchObject({ reason: 'later', event: 'click' });
  });

  it('finds the later ancestor of an entry that is itself early, with the way to it', () => {
    const auditor = new AnswerAuditor(graphOf(['summary', 3, 'note'], ['note', 4, 'source'], ['source', 30]), 0);
    expect(auditor.audit(answer(10, 'summary'), place).firstOffence).toEqual({
      reason: 'later',
      entry: 'summary',
      event: 'source',
      observedAt: 30,
      path: ['summary', 'note', 'source'],
      omitted: 0,
    });
  });

  it('shortens a long way, and says by how much', () => {
    const length = 100_000;
    const builder = new EventGraphBuilder();
    for (let i = 0; i < length; i++) {
      const dependsOn = i + 1 < length ? [`e${i + 1}`] : [];
      builder.add({ id: `e${i}`, observedAt: i + 1 < length ? 1 : 50, dependsOn }, { file: 0, line: i + 1 });
    }
    const verdict = new AnswerAuditor(builder.freeze(), 0).audit(answer(10, 'e0'), place);
    expect(verdict.firstOffence?.path).toEqual(['e0', 'e1', 'e2', 'e3', 'e4', 'e99999']);
    expect(verdict.firstOffence?.omitted).toBe(length - 6);
  });

  it('names the ancestor without a time or without a record, and none in a cycle', () => {
    const auditor = new AnswerAuditor(
      graphOf(['a', 1, 'b'], ['b', 1, 'c'], ['c', undefined], ['d', 1, 'lost'], ['e', 1, 'f'], ['f', 1, 'e']),
      0,
    );
    const gapOf = (id: string) => auditor.audit(answer(10, id), place).firstGap;
    expect(gapOf('a')).toMatchObject({ reason: 'untimed', entry: 'a', event: 'c', path: ['a', 'b', 'c'] });
    expect(gapOf('d')).toMatchObject({ reason: 'unknown', entry: 'd', event: 'lost', path: ['d', 'lost'] });
    expect(gapOf('e')).toMatchObject({ reason: 'cyclic', entry: 'e', event: null });
    expect(gapOf('nowhere')).toMatchObject({ reason: 'unknown', entry: 'nowhere', event: 'nowhere' });
    expect(auditor.gaps).toMatchObject({ untimed: 1, unknown: 2, cyclic: 1 });
  });

  it('still finds the violation of an entry that also has a gap', () => {
    const auditor = new AnswerAuditor(graphOf(['a', 20, 'b'], ['b', undefined], ['c', 1, 'd'], ['d', 30, 'c']), 0);
    expect(auditor.audit(answer(10, 'a', 'c'), place)).toMatchObject({ offending: 2, unverifiable: 0 });
  });

  it('gives an answer that used nothing the rate 0, asked at a known time or not', () => {
    const auditor = new AnswerAuditor(graphOf(['a', 1]), 0);
    for (const time of [5, undefined]) {
      expect(auditor.audit(answer(time), place)).toMatchObject({ status: 'pass', used: 0, tvr: 0, tvrUpper: 0 });
    }
  });

  it('passes nothing when the answer has no time, an entry no id, or the list was not recorded', () => {
    const auditor = new AnswerAuditor(graphOf(['a', 1]), 0);
    expect(auditor.audit(answer(undefined, 'a'), place)).toMatchObject({ status: 'unverifiable', tvr: 0, tvrUpper: 1 });
    expect(auditor.audit(answer(5, 'a', undefined, undefined), place)).toMatchObject({
      status: 'unverifiable',
      used: 3,
      tvrUpper: 2 / 3,
      firstGap: { reason: 'no-id', entry: null },
    });
    expect(auditor.audit({ id: 'q', askedAt: 5, used: undefined }, place)).toMatchObject({
      status: 'unverifiable',
      used: null,
      tvrUpper: 1,
      firstGap: { reason: 'not-recorded' },
    });
    expect(auditor.gaps).toMatchObject({ 'answer-untimed': 1, 'no-id': 2, 'not-recorded': 1 });
  });

  it('counts an entry that is listed twice once, in each answer anew, whether the log knows it or not', () => {
    const auditor = new AnswerAuditor(graphOf(['a', 1], ['b', 20]), 0);
    for (let round = 1; round <= 2; round++) {
      const verdict = auditor.audit(answer(10, 'b', 'a', 'b', 'x', 'x'), place);
      expect(verdict).toMatchObject({ used: 3, offending: 1, unverifiable: 1 });
      expect(auditor.repeatedEntries).toBe(2 * round);
    }
  });

  it('tolerates a skew of the clocks up to, but not including, its length, and counts what that lets pass', () => {
    const auditor = new AnswerAuditor(graphOf(['same', 10], ['near', 11], ['far', 12]), 2);
    expect(auditor.audit(answer(10, 'same', 'near', 'far'), place)).toMatchObject({
      offending: 1,
      sameInstant: 0,
      tolerated: 2,
      firstOffence: { reason: 'later', entry: 'far' },
    });
  });

  it('hears of used ids that the log does not name', () => {
    const heard: string[] = [];
    const auditor = new AnswerAuditor(graphOf(['a', 1, 'named']), 0, (id) => heard.push(id));
    auditor.audit(answer(10, 'a', 'named', 'stranger'), place);
    expect(heard).toEqual(['stranger']);
  });
});

/** What one entry is, by the definitions alone. */
function kindOf(id: string, records: readonly EventRecord[], askedAt: number | undefined, skew: number): string {
  const ancestors = [...ancestorsOf(id, records)].map((name) => records.find((record) => record.id === name));
  const times = ancestors.map((record) => record?.observedAt).filter((time) => time !== undefined);
  if (askedAt !== undefined && times.some((time) => !(time < askedAt + skew))) return 'offence';
  const isCyclic = [...ancestorsOf(id, records)].some((name) =>
    records.find((record) => record.id === name)?.dependsOn.some((next) => ancestorsOf(next, records).has(name)),
  );
  return askedAt === undefined || isCyclic || times.length < ancestors.length ? 'gap' : 'pass';
}
