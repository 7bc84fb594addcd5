import { dataOfError } from '../../errors/CarriedError.js';
import { answerTasks } from '../../threads/TaskProcess.js';
import type { IngestAnswer, WithdrawAnswer, WriterTask } from './writerTasks.js';

/**
 * The process of `IngestQueue`: makes one change after the other. What that takes is loaded when it is asked for, so that a
 * signal is heard from the start.
 */
answerTasks(async (task: WriterTask): Promise<IngestAnswer | WithdrawAnswer> => {
  const { performWriterTask } = await import('./writerTasks.js');
  return performWriterTask(task);
}, dataOfError);
