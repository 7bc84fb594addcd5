import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { type Logger, pino } from 'pino';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { MissingResourceError } from '../errors/MissingResourceError.js';
import { createServer } from '../server/createServer.js';
import { isLoopback } from '../server/plugins/guard.js';
import type { ApiServer } from '../server/typeProvider.js';
import { inWorkspace, workspaceLayout } from '../store/workspace/layout.js';
import type { CliContext } from './context.js';
import { addWorkspaceOption, type WorkspaceOptionValues, workspaceFolderOf } from './options/workspaceOptions.js';
import { packageVersion } from './packageVersion.js';

interface ServeValues extends WorkspaceOptionValues {
  runs?: string[];
  host: string;
  port: string;
  cors?: string[];
  logLevel: string;
}

const security = `
Bound to loopback, anyone on this machine may ask; pages of other sites may not. To bind elsewhere, set ASOF_TOKEN: every
request must then carry it (Authorization: Bearer ...). Put TLS in front of it.
Interrupting ends the server when the requests at work are answered; interrupting again ends it at once.`;

/** `asof serve`: the HTTP API and the dashboard. Runs until it is interrupted. */
export function serveCommand(context: CliContext): Command {
  const command = new Command('serve').description('Serve the HTTP API and the dashboard');
  return addWorkspaceOption(command)
    .option('--runs <folders...>', 'folders of replay runs, or of folders of runs')
    .option('--host <address>', 'address to bind', '127.0.0.1')
    .option('--port <number>', 'port; 0 for a free one', '8700')
    .option('--cors <origins...>', 'origins of other sites whose pages may ask (none by default)')
    .option('--log-level <level>', 'trace, debug, info, warn, error or silent', 'info')
    .addHelpText('after', security)
    .action((values: ServeValues) => serve(context, values));
}

async function serve(context: CliContext, values: ServeValues): Promise<void> {
  const { host, runs = [], cors } = values;
  const port = portOf(values.port);
  const token = context.environment.ASOF_TOKEN || undefined;
  if (!isLoopback(host) && token === undefined) {
    const expected = 'a loopback address such as 127.0.0.1, or the variable ASOF_TOKEN set beside it';
    throw new InvalidArgumentError({ argument: '--host', value: host, expected });
  }
  for (const folder of runs) {
    if (existsSync(folder)) continue;
    throw new MissingResourceError({
      resource: folder,
      remedy: 'name a folder that asof replay wrote, or one of such',
    });
  }
  const logger = loggerOf(context, values.logLevel);
  const app = await createServer({
    version: packageVersion(),
    workspace: workspaceToServe(values, context),
    runs,
    dashboard: fileURLToPath(new URL('../../dist/web', import.meta.url)),
    token,
    origins: cors,
    logger,
    now: context.now,
  });
  try {
    const address = await listen(app, host, port);
    context.stdout.write(`asof serves ${address} (API: ${address}/docs)\n`);
    await interrupted(logger);
  } finally {
    await app.close();
  }
}

async function listen(app: ApiServer, host: string, port: number): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === undefined || !(code in portFaults)) throw cause;
    throw new InvalidArgumentError({ argument: '--port', value: port, expected: portFaults[code]!, cause });
  }
}

const portFaults: Readonly<Record<string, string>> = {
  EADDRINUSE: 'a port that nothing else listens on; 0 takes a free one',
  EACCES: 'a port that this user may listen on, 1024 or above',
  EADDRNOTAVAIL: 'a port of a host that is this machine (--host)',
};

/** The workspace that was named; the default one only where there is one, since runs can be served without. */
function workspaceToServe(values: ServeValues, context: CliContext): string | undefined {
  const folder = workspaceFolderOf(values, context);
  const isNamed = values.workspace !== undefined || Boolean(context.environment.ASOF_WORKSPACE);
  if (isNamed || existsSync(inWorkspace(folder, workspaceLayout.pointer))) return folder;
  if (values.runs === undefined) {
    throw new MissingResourceError({ resource: folder, remedy: 'make a workspace with asof init, or name --runs' });
  }
  return undefined;
}

function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65536) return Number(text);
  throw new InvalidArgumentError({ argument: '--port', value: text, expected: 'a number from 0 to 65535' });
}

/** Structured logs, one JSON object a line, on stderr; a token never gets into them. */
function loggerOf({ stderr }: CliContext, level: string): Logger {
  const levels = [...Object.keys(pino.levels.values), 'silent'];
  if (!levels.includes(level)) {
    throw new InvalidArgumentError({ argument: '--log-level', value: level, expected: `one of ${levels.join(', ')}` });
  }
  return pino({ level, redact: ['req.headers.authorization'] }, { write: (line: string) => void stderr.write(line) });
}

/** Resolves at the first signal to end; the second one ends the process as it stands. */
function interrupted(logger: Logger): Promise<void> {
  return new Promise((resolve) => {
    const signals = ['SIGINT', 'SIGTERM'] as const;
    const end = (signal: string) => {
      logger.info({ signal }, 'ending: requests at work are answered first');
      for (const name of signals) process.off(name, end);
      resolve();
    };
    for (const name of signals) process.once(name, end);
  });
}
