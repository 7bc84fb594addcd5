import { Command } from 'commander';
import type { CliContext } from '../context.js';
import { evaluateTopicsCommand } from './evaluate.js';
import { listCommand } from './list.js';
import { showTopicCommand } from './show.js';

/** `asof topics ...`: topics over time, as of any time. */
export function topicsCommand(context: CliContext): Command {
  return new Command('topics')
    .description('Track topics over time: what they were, and what could be said of them, as of any time')
    .addCommand(listCommand(context), { isDefault: true })
    .addCommand(showTopicCommand(context))
    .addCommand(evaluateTopicsCommand(context));
}
