import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';

const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const command = [process.execPath, '--import', 'tsx', main];

function asof(words: string[], input = '') {
  const { status, stdout, stderr } = spawnSync(command[0]!, [...command.slice(1), ...words], {
    input,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('the asof program', () => {
  it('reads standard input, answers on stdout and ends with 0', () => {
    const { status, stdout, stderr } = asof(
      ['dataset', 'info', '-', '--format', 'asof', '--json'],
      '{"id":"a","text":"t"}\n',
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ assets: { total: 1 } });
  });

  it('answers bad input with one line that names file and line, and 2', () => {
    const folder = mkdtempSync(join(tmpdir(), 'asof-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'assets.jsonl'), '{"id":"a","text":"t"}\n{"id":"a","text":"t"}\n');
    const { status, stdout, stderr } = asof(['dataset', 'info', folder]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^asof: .*assets\.jsonl:2: id: got "a", expected an id that no other asset has .*\n$/);
  });

  it.skipIf(process.platform !== 'linux')(
    'says in one line that its answer could not be written, and ends with 8',
    () => {
      const full = openSync('/dev/full', 'w');
      onTestFinished(() => closeSync(full));
      const { status, stderr } = spawnSync(command[0]!, [...command.slice(1), 'dataset', 'list'], {
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
      });
      expect({ status, stderr }).toEqual({
        status: 8,
        stderr: 'asof: standard output: no space left on the device (ENOSPC)\n',
      });
    },
  );

  it('says in one line what the system refused, and ends with 8', () => {
    const folder = mkdtempSync(join(tmpdir(), 'asof-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { status, stderr } = asof(['key', 'generate', '--out', join(folder, 'none', 'key')]);
    expect({ status, stderr }).toEqual({
      status: 8,
      stderr: `asof: ${join(folder, 'none', 'key.public.pem')}: no such file or folder (ENOENT)\n`,
    });
  });

  it('ends quietly when nobody reads on', async () => {
    const child = spawn(command[0]!, [...command.slice(1), 'dataset', 'list']);
    child.stdout.destroy();
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const [status] = await once(child, 'close');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
