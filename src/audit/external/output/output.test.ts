import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { replaceFile } from '../../../files/atomicFile.js';
import type { LogAudit } from '../auditLog.js';
import { auditRecords, day, temporaryDirectory } from '../testing/logs.js';
import { auditJson } from './auditJson.js';
import { auditJunit } from './auditJunit.js';
import { auditSarif } from './auditSarif.js';
import { formatRate, groupDigits, printable } from './describe.js';
import { VerdictWriter } from './VerdictWriter.js';

const events = [
  { id: 'a', observedAt: day(1), dependsOn: ['late'] },
  { id: 'b', observedAt: day(2) },
  { id: 'late', observedAt: day(9) },
  { id: 'untimed' },
];
const answers = [
  { id: 'q1', askedAt: day(3), used: ['b', 'a'] },
  { id: 'q2', askedAt: day(3), used: ['b'] },
  { id: 'q3', askedAt: day(2), used: ['b'] },
  { id: 'q4', askedAt: day(3), used: ['untimed'] },
  { id: 'q5', used: ['b'] },
];

/** The audit of the log above, as if it had been read from answers.jsonl. */
async function mixedAudit(): Promise<LogAudit> {
  const audit = await auditRecords(events, answers);
  return { ...audit, findings: audit.findings.map((finding) => ({ ...finding, fileName: 'logs/answers 1.jsonl' })) };
}

describe('auditJson', () => {
  it('holds instants as texts, the rates, and every finding with its way', async () => {
    const json = auditJson(await mixedAudit());
    expect(JSON.parse(JSON.stringify(json))).toEqual(json);
    expect(json).toMatchObject({
      format: 'asof-log-audit/1',
      status: 'violation',
      answers: { total: 5, pass: 1, violation: 2, unverifiable: 2, withoutEntries: 0 },
      entries: { used: 6, offending: 2, sameInstant: 1, unverifiable: 2 },
      temporalViolationRate: { mean: 0.3, pooled: 2 / 6, highest: 1 },
      findingsOmitted: 0,
      faultsOmitted: false,
    });
    expect(json.findings[0]).toEqual({
      id: 'q1',
      file: 'logs/answers 1.jsonl',
      line: 1,
      askedAt: '2024-01-03T00:00:00Z',
      status: 'violation',
      used: 2,
      offending: 1,
      sameInstant: 0,
      tolerated: 0,
      unverifiable: 0,
      tvr: 0.5,
      tvrUpper: 0.5,
      firstOffence: {
        reason: 'later',
        entry: 'a',
        event: 'late',
        observedAt: '2024-01-09T00:00:00Z',
        path: ['a', 'late'],
        omitted: 0,
      },
      firstGap: null,
    });
  });

  it('says how much it leaves out', async () => {
    const json = auditJson(await auditRecords(events, answers, { keep: 1 }));
    expect(json.findings).toHaveLength(1);
    expect(json.findingsOmitted).toBe(3);
  });
});

describe('every form for machines', () => {
  it('tells the tolerance of clocks', async () => {
    const audit = await auditRecords(events, [{ id: 'q3', askedAt: day(2), used: ['b'] }], { clockSkew: 2000 });
    expect(audit.status).toBe('pass');
    expect(auditJson(audit)).toMatchObject({ rule: { clockSkewMilliseconds: 2000 }, entries: { tolerated: 1 } });
    expect(auditSarif(audit, '1').runs[0]?.properties.clockSkewMilliseconds).toBe(2000);
    expect(auditJunit(audit)).toContain('<property name="clockSkew" value="2s"/>');
  });
});

describe('auditJunit', () => {
  it('counts violations as failures, faults as errors, and the unverifiable as skipped, or as failures when strict', async () => {
    const audit = await mixedAudit();
    expect(auditJunit(audit)).toContain(
      '<testsuites name="asof audit-log" tests="5" failures="2" errors="0" skipped="2">',
    );
    expect(auditJunit(audit, { strict: true })).toContain('tests="5" failures="4" errors="0" skipped="0"');
    const faulty = await auditRecords(events, [{ id: 'q', askedAt: day(3), used: ['x'] }]);
    expect(auditJunit(faulty)).toContain('tests="2" failures="0" errors="1" skipped="1"');
    const cut = auditJunit(await auditRecords(events, answers, { keep: 1 }));
    expect(cut).toContain('3 more answers did not pass');
  });

  it('is well-formed XML whatever the ids hold', async () => {
    const id = `<q a="1" b='2'>&amp;]]>\u0000\u001b\n\ud800\ufffe😀`;
    const xml = auditJunit(await auditRecords([], [{ id, askedAt: day(1), used: ['<x>'] }]));
    expect(xml.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cs}\ufffe]/u);
    const python =
      'import sys, xml.dom.minidom as m; d = m.parseString(sys.stdin.buffer.read()); print(len(d.getElementsByTagName("testcase")))';
    const parsed = spawnSync('python3', ['-c', python], { input: Buffer.from(xml) });
    if (parsed.error === undefined) expect(parsed.stdout.toString().trim()).toBe('2');
    for (const tag of xml.matchAll(
      /<(?!\/?(testsuites?|testcase|failure|error|skipped|properties|property|\?xml)\b)/g,
    )) {
      expect.unreachable(`an unescaped < at ${tag.index}`);
    }
  });
});

describe('auditSarif', () => {
  it('has what SARIF 2.1.0 and code scanning ask for: rules, levels, messages, places as URIs with lines', async () => {
    const sarif = auditSarif(await mixedAudit(), '1.2.3');
    expect(sarif.version).toBe('2.1.0');
    const run = sarif.runs[0]!;
    expect(run.tool.driver).toMatchObject({ name: 'asof audit-log', version: '1.2.3' });
    expect(run.results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ['later-event', 'error'],
      ['same-instant', 'error'],
      ['unverifiable', 'warning'],
      ['unverifiable', 'warning'],
    ]);
    for (const { ruleId, ruleIndex, message, locations } of run.results) {
      expect(run.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
      expect(message.text).not.toBe('');
      expect(locations[0]?.physicalLocation.artifactLocation.uri).toBe('logs/answers%201.jsonl');
      expect(locations[0]?.physicalLocation.region.startLine).toBeGreaterThan(0);
    }
    const faulty = auditSarif(await auditRecords(events, [{ id: 'q', askedAt: day(3), used: ['x'] }]), '1');
    expect(faulty.runs[0]?.results.map(({ ruleId }) => ruleId)).toEqual(['unverifiable', 'unknown-entry']);
  });
});

describe('VerdictWriter', () => {
  it('writes a line for every answer, in order', async () => {
    const directory = temporaryDirectory();
    onTestFinished(directory.remove);
    const path = join(directory.path, 'verdicts.jsonl');
    const many = Array.from({ length: 3000 }, (_, index) => ({ id: `q${index}`, askedAt: day(3), used: ['b'] }));
    await replaceFile(path, async (file) => {
      const writer = new VerdictWriter(file);
      await auditRecords(events, many, { onVerdict: (verdict, name) => writer.add(verdict, name) });
      await writer.flush();
    });
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(many.map(({ id }) => id));
    expect(JSON.parse(lines[0]!)).toMatchObject({ status: 'pass', tvr: 0, used: 1 });
  });
});

describe('text for people', () => {
  it('has the control characters of foreign text spelt out, and is cut to a length', () => {
    const printed = printable('\u001b[2J\u0007\u202e\u009b1mq\n\u2028é😀', 100);
    expect(printed).toBe('\\u{1b}[2J\\u{7}\\u{202e}\\u{9b}1mq\\u{a}\\u{2028}é😀');
    expect(printable('x'.repeat(100), 10)).toBe('xxxxxxxxx…');
  });

  it('has numbers grouped by thousands, and rates never read as 0 or 1 when they are not', () => {
    expect([0, 999, 1000, 1234567].map(groupDigits)).toEqual(['0', '999', '1,000', '1,234,567']);
    expect([0, 1, 1 / 3, 1e-7, 0.99999, 0.9999].map(formatRate)).toEqual([
      '0',
      '1',
      '0.3333',
      '< 0.0001',
      '> 0.9999',
      '0.9999',
    ]);
  });
});
