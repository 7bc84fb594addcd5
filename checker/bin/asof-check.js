#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { checkRun, UnreadableRun } from '../lib/checkRun.js';

const usage = `asof-check <run> [--key <public key>] [--rows parquet|jsonl] [--json]

Checks a run of asof without asof: recomputes hashes, Merkle roots, proofs, views, rankings, metrics and means.

Exit codes: 0 accepted; 1 unexpected fault; 2 arguments, or a run that cannot be read; 3 the contract is violated;
4 bad signature; 5 signed with another key; 6 a signed file was altered; 7 a signed file is missing.
`;

try {
  process.exitCode = await main();
} catch (error) {
  const isExpected = error instanceof UnreadableRun || error.code?.startsWith('ERR_PARSE_ARGS');
  // A member that is missing or of another type, in a manifest that nobody has to have written honestly.
  const isMisshapen = error instanceof TypeError;
  const message = isMisshapen ? `the run is not of the form of a run (${error.message})` : error.message;
  process.stderr.write(`asof-check: ${isExpected || isMisshapen ? message : error.stack}\n`);
  process.exitCode = isExpected || isMisshapen ? 2 : 1;
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      key: { type: 'string' },
      rows: { type: 'string', default: 'parquet' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  if (positionals.length !== 1 || !['parquet', 'jsonl'].includes(values.rows)) {
    process.stderr.write(usage);
    return 2;
  }
  const result = await checkRun(positionals[0], values);
  process.stdout.write(values.json ? `${JSON.stringify(result, null, 2)}\n` : text(result));
  if (result.violated.length > 0) return 3;
  return result.signature?.code ?? 0;
}

function text({ runId, rows, accepted, checks, signature, notes }) {
  const lines = Object.entries(checks).map(([name, { compared, violations, examples }]) => {
    const found = examples.map(({ where, found, expected }) => `\n  ${where}: found ${found}, expected ${expected}`);
    return `${violations === 0 ? 'holds ' : 'FAILS '} ${name}: ${compared} compared, ${violations} violated${found.join('')}`;
  });
  if (signature) lines.push(`${signature.ok ? 'holds ' : 'FAILS '} signature: ${signature.message}`);
  for (const note of notes) lines.push(`note   ${note}`);
  lines.push(`run ${runId}, ${rows} rows: ${accepted ? 'accepted' : 'rejected'}`);
  return `${lines.join('\n')}\n`;
}
