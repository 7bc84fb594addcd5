import { Command } from 'commander';
import type { CliContext } from '../context.js';
import { evaluateFreshnessCommand } from './freshness.js';

/** `asof evaluate`: measures over labelled data; one subcommand a file. */
export function evaluateCommand(context: CliContext): Command {
  return new Command('evaluate')
    .description('Measure retrieval over time against labelled data')
    .addCommand(evaluateFreshnessCommand(context));
}
