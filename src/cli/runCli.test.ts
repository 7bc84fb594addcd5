import { describe, expect, it } from 'vitest';
import { stylerFor } from './output/style.js';
import { runForTest } from './testing/runForTest.js';

describe('runCli', () => {
  it('answers help and version on stdout with exit code 0', async () => {
    for (const words of [['--help'], ['help'], ['dataset', '--help'], ['dataset', 'info', '-h']]) {
      const { exitCode, stdout, stderr } = await runForTest(words);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(stdout).toMatch(/^Usage: asof/);
    }
    expect((await runForTest(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([
    [['frobnicate'], /^asof: unknown command 'frobnicate'\n$/],
    [['dataset', 'lst'], /^asof: unknown command 'lst' \(Did you mean list\?\)\n$/],
    [['dataset', 'list', '--colour'], /^asof: unknown option '--colour'/],
    [
      ['dataset', 'info', 'x', '--format', 'csv'],
      /^asof: .*--format.*'csv' is invalid. Allowed choices are asof, tatqa/,
    ],
    [['dataset', 'convert', 'x', '--to', 'asof'], /^asof: required option '--out <folder>' not specified\n$/],
    [['dataset', 'info'], /^asof: path: got nothing, expected a folder or files to read\n$/],
    [
      ['dataset', 'info', '/no/such/folder'],
      /^asof: \/no\/such\/folder is missing: no such file or folder; check the path\n$/,
    ],
  ])('answers %j with one line on stderr and exit code 2', async (words, message) => {
    const { exitCode, stdout, stderr } = await runForTest(words);
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(message);
    expect(stderr.split('\n')).toHaveLength(2);
  });

  it('prints the stack of an error with --debug, before or after the command', async () => {
    for (const words of [
      ['--debug', 'dataset', 'info', '/no/such/folder'],
      ['dataset', 'info', '/no/such/folder', '--debug'],
    ]) {
      const { exitCode, stderr } = await runForTest(words);
      expect(exitCode).toBe(2);
      expect(stderr).toMatch(/^asof: \/no\/such\/folder is missing.*\nMissingResourceError: .*\n\s+at /);
    }
  });

  it('colours for a terminal alone, and not against NO_COLOR', async () => {
    const escapeCode = '\u001b[';
    const words = ['dataset', 'info', '/no/such/folder'];
    expect((await runForTest(words, { isTTY: true })).stderr).toContain(escapeCode);
    expect((await runForTest(words)).stderr).not.toContain(escapeCode);
    expect((await runForTest(words, { isTTY: true, environment: { NO_COLOR: '1' } })).stderr).not.toContain(escapeCode);
    expect((await runForTest(words, { isTTY: true, environment: { TERM: 'dumb' } })).stderr).not.toContain(escapeCode);
  });

  it('takes an empty NO_COLOR as none, as no-color.org says', () => {
    const stream = { isTTY: true, write: () => undefined };
    const context = { environment: { NO_COLOR: '' } } as unknown as Parameters<typeof stylerFor>[1];
    expect(stylerFor(stream, context)('red', 'x')).not.toBe('x');
  });
});
