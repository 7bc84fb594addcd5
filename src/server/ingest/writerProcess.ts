import { dataOfError } from '../../errors/CarriedError.js';
import { answerTasks } from '../../threads/TaskProcess.js';
import { performWriterTask } from './writerTasks.js';

/** The process of `IngestQueue`: makes one change after the other. */
answerTasks(performWriterTask, dataOfError);
