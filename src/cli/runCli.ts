import { Command, CommanderError, Help, type Option } from 'commander';
import { AsofError } from '../errors/AsofError.js';
import { environmentFault } from '../files/environmentFault.js';
import { auditCommand } from './audit.js';
import { auditLogCommand } from './auditLog.js';
import type { CliContext } from './context.js';
import { datasetCommand } from './dataset.js';
import { evaluateCommand } from './evaluate/evaluate.js';
import { exportCommand } from './export.js';
import { gateCommand } from './gate.js';
import { indexCommand } from './indexWorkspace.js';
import { ingestCommand } from './ingest.js';
import { initCommand } from './init.js';
import { keyCommand } from './key.js';
import { mcpCommand } from './mcp.js';
import { modelCommand } from './model.js';
import { stylerFor } from './output/style.js';
import { packageVersion } from './packageVersion.js';
import { repairCommand } from './repair.js';
import { replayCommand } from './replay.js';
import { reportCommand } from './report.js';
import { runCommand } from './run.js';
import { searchCommand } from './search.js';
import { serveCommand } from './serve.js';
import { showCommand } from './show.js';
import { statusCommand } from './status.js';
import { topicsCommand } from './topics/topics.js';
import { verifyCommand } from './verify.js';
import { withdrawCommand } from './withdraw.js';

/** Every command; one file each. */
const commands: readonly ((context: CliContext) => Command)[] = [
  replayCommand,
  auditCommand,
  repairCommand,
  reportCommand,
  gateCommand,
  datasetCommand,
  auditLogCommand,
  runCommand,
  keyCommand,
  verifyCommand,
  modelCommand,
  initCommand,
  ingestCommand,
  indexCommand,
  searchCommand,
  showCommand,
  statusCommand,
  exportCommand,
  withdrawCommand,
  serveCommand,
  mcpCommand,
  topicsCommand,
  evaluateCommand,
];

/**
 * Runs the command line and gives its exit code: 0 done, 1 a fault of asof, 2 unusable input or arguments, 3 a contract
 * violated; of an attestation, 4 a bad signature, 5 another key's, 6 an altered and 7 a missing artefact; 8 the system
 * refused to read or write something. An error is one line on stderr, and its stack as well with `--debug`; nothing is thrown.
 */
export async function runCli(context: CliContext): Promise<number> {
  const program = buildProgram(context);
  try {
    await program.parseAsync([...context.argv], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) {
      // Help and version are answers; what is wrong with the arguments, commander has written by now.
      return error.exitCode === 0 ? 0 : 2;
    }
    return reportError(error, context, program.opts<{ debug?: boolean }>().debug === true);
  }
}

/** The whole tree of commands. */
export function buildProgram(context: CliContext): Command {
  const program = new Command('asof')
    .description('Time-honest retrieval: search as of any moment, replay interaction memory, prove what was used.')
    .version(packageVersion(), '-V, --version')
    .option('--debug', 'print the stack of an error')
    .showSuggestionAfterError();
  for (const command of commands) program.addCommand(command(context));
  configure(program, context);
  return program;
}

/** Settings that commander keeps by command, for the whole tree. */
function configure(command: Command, context: CliContext): void {
  const style = stylerFor(context.stderr, context);
  command
    .configureHelp({ optionDescription })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      outputError: (text, write) => write(`${style('red', 'asof:')} ${oneLine(text.replace(/^error: /, ''))}\n`),
    });
  for (const child of command.commands) configure(child, context);
}

/** What an option is for, and whether there is no doing without it, which commander says only once it is missing. */
function optionDescription(option: Option): string {
  return `${Help.prototype.optionDescription(option)}${option.mandatory ? ' (required)' : ''}`;
}

function reportError(thrown: unknown, context: CliContext, debug: boolean): number {
  const error = AsofError.isInstance(thrown) ? thrown : (environmentFault(thrown) ?? thrown);
  const known = AsofError.isInstance(error);
  const message = error instanceof Error ? error.message : String(error);
  const text = known ? message : `internal error: ${message}${debug ? '' : ' (--debug prints where)'}`;
  context.stderr.write(`${stylerFor(context.stderr, context)('red', 'asof:')} ${oneLine(text)}\n`);
  if (debug && error instanceof Error) context.stderr.write(`${stackOf(error)}\n`);
  return known ? error.exitCode : 1;
}

/** The stack, and those of the causes. */
function stackOf(error: Error): string {
  const stack = error.stack ?? error.message;
  return error.cause instanceof Error ? `${stack}\ncaused by ${stackOf(error.cause)}` : stack;
}

function oneLine(text: string): string {
  return text.trim().replace(/\s*[\r\n]+\s*/g, ' ');
}
