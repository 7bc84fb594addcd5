import { Command } from 'commander';
import type { CliContext } from './context.js';
import { signCommand } from './sign.js';

/** `asof run ...`: replay runs. */
export function runCommand(context: CliContext): Command {
  return new Command('run').description('Sign replay runs').addCommand(signCommand(context));
}
