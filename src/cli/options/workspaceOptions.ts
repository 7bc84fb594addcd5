import type { Command } from 'commander';
import type { Instant } from '../../time/instant.js';
import { parseInstant } from '../../time/parseInstant.js';
import type { CliContext } from '../context.js';

/** Values of the option that `addWorkspaceOption` adds. */
export interface WorkspaceOptionValues {
  workspace?: string;
}

/** Adds the option that says which workspace a command works on; every command that has one has it. */
export function addWorkspaceOption(command: Command): Command {
  return command.option('-w, --workspace <folder>', 'the workspace (default: $ASOF_WORKSPACE, or .asof)');
}

export function workspaceFolderOf({ workspace }: WorkspaceOptionValues, { environment }: CliContext): string {
  return workspace ?? (environment.ASOF_WORKSPACE || '.asof');
}

/** Adds `--as-of`: the instant that an answer is for. */
export function addAsOfOption(command: Command): Command {
  return command.option('--as-of <time>', 'answer as of this time: a date (its 00:00 UTC), or a time with offset');
}

/** @throws InvalidArgumentError when it is no time */
export function asOfOf({ asOf }: { asOf?: string }, context: CliContext): Instant {
  return asOf === undefined ? context.now() : parseInstant(asOf);
}
