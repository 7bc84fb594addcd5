import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runForTest } from '../../../src/cli/testing/runForTest.js';
import { asofCommands } from './shellCommands.js';
import { transpile } from './typeScriptSnippets.js';

/** How a snippet ended, and what it printed. */
export interface SnippetRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** When it is for calls of asof, so that what they print does not depend on the day. */
const now = Date.parse('2026-01-01T00:00:00Z');

/** The port that pages speak of; the one that snippets really use is free. */
const documentedPort = '8700';

const root = path.resolve('.');
const built = path.join(root, 'dist/cli/main.js');

/** What pages call, by name: programs that the project installs or is. */
const programs: Readonly<Record<string, string>> = {
  asof: `"${process.execPath}" "${built}" "$@"`,
  tsx: `"${process.execPath}" --import "${path.join(root, 'node_modules/tsx/dist/esm/index.mjs')}" "$@"`,
  'asof-check': `"${process.execPath}" "${path.join(root, 'checker/bin/asof-check.js')}" "$@"`,
};

/**
 * Runs the snippets of a page one after the other in a folder of their own, as a reader would in a clone of the
 * project. Snippets that are calls of asof alone run in this process; a shell runs the others, with the built asof.
 */
export class PageRunner {
  readonly folder: string;
  readonly #programs: string;
  readonly #port: string;
  readonly #servers: ChildProcess[] = [];

  private constructor(folder: string, programFolder: string, port: string) {
    this.folder = folder;
    this.#programs = programFolder;
    this.#port = port;
  }

  static async create(): Promise<PageRunner> {
    const base = await mkdtemp(path.join(tmpdir(), 'asof-docs-'));
    const [folder, programFolder, modules] = ['page', 'bin', 'page/node_modules'].map((name) => path.join(base, name));
    await mkdir(programFolder!);
    await mkdir(modules!, { recursive: true });
    for (const name of ['examples', 'schemas']) await symlink(path.join(root, name), path.join(folder!, name));
    await symlink(root, path.join(modules!, 'asof'));
    for (const name of ['@langchain', '@llamaindex', '@types']) {
      await symlink(path.join(root, 'node_modules', name), path.join(modules!, name));
    }
    const scripts = Object.entries(programs).map(([name, command]) => [name, `exec ${command}`]);
    for (const [name, script] of [...scripts, ['npx', 'name=$1; shift; exec "$name" "$@"']]) {
      await writeFile(path.join(programFolder!, name!), `#!/bin/sh\n${script}\n`);
      await chmod(path.join(programFolder!, name!), 0o755);
    }
    return new PageRunner(folder!, programFolder!, String(await freePort()));
  }

  async close(): Promise<void> {
    for (const server of this.#servers) server.kill('SIGTERM');
    await rm(path.dirname(this.folder), { recursive: true, force: true });
  }

  async shell(snippet: string): Promise<SnippetRun> {
    const served = /^((?:.*\n)*)(?:npx )?asof serve (.*)\n?$/.exec(snippet);
    if (served !== null) {
      const before = await this.shell(served[1]!);
      return before.exitCode === 0 ? this.#serve(served[2]!) : before;
    }
    const commands = asofCommands(snippet);
    if (commands === undefined) return this.#spawn('bash', ['-eo', 'pipefail', '-c', snippet]);
    return this.#asof(commands);
  }

  /** Runs a program; its text is TypeScript. */
  async program(name: string, text: string): Promise<SnippetRun> {
    const file = path.join(this.folder, `${name}.mjs`);
    await writeFile(file, transpile(text));
    return this.#spawn(process.execPath, [file]);
  }

  async write(name: string, text: string): Promise<void> {
    const file = path.join(this.folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, `${text}\n`);
  }

  async #asof(commands: NonNullable<ReturnType<typeof asofCommands>>): Promise<SnippetRun> {
    const all = { exitCode: 0, stdout: '', stderr: '' };
    const before = process.cwd();
    process.chdir(this.folder);
    try {
      for (const { words, outputFile } of commands) {
        const run = await runForTest(words, { now, environment: { HOME: process.env.HOME ?? '' } });
        if (outputFile === undefined) all.stdout += run.stdout;
        else await this.write(outputFile, run.stdout);
        all.stderr += run.stderr;
        all.exitCode = run.exitCode;
        if (run.exitCode !== 0) break;
      }
    } finally {
      process.chdir(before);
    }
    return all;
  }

  #spawn(command: string, words: readonly string[]): Promise<SnippetRun> {
    const here = words.map((word) => word.replaceAll(documentedPort, this.#port));
    return new Promise((resolve) => {
      const options = { cwd: this.folder, env: this.#environment(), maxBuffer: 1 << 26 };
      execFile(command, here, options, (error, stdout, stderr) => {
        const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        const asDocumented = (text: string) => text.replaceAll(this.#port, documentedPort);
        resolve({ exitCode, stdout: asDocumented(stdout), stderr: asDocumented(stderr) });
      });
    });
  }

  /** Starts a server that goes on until the page is done, and waits until it answers. */
  async #serve(words: string): Promise<SnippetRun> {
    const line = `exec asof serve ${words} --port ${this.#port} --log-level warn`;
    const server = spawn('bash', ['-c', line], { cwd: this.folder, env: this.#environment() });
    this.#servers.push(server);
    let stderr = '';
    server.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    while (server.exitCode === null) {
      const answer = await fetch(`http://127.0.0.1:${this.#port}/healthz`).catch(() => undefined);
      if (answer?.ok === true) return { exitCode: 0, stdout: '', stderr };
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return { exitCode: server.exitCode, stdout: '', stderr };
  }

  #environment(): NodeJS.ProcessEnv {
    return { ...process.env, PATH: `${this.#programs}:${process.env.PATH}`, NO_COLOR: '1' };
  }
}

/** Whether the command line is built; a shell runs that one. */
export function isBuilt(): boolean {
  return existsSync(built);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
