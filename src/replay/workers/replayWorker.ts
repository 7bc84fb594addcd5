import { parentPort, workerData } from 'node:worker_threads';
import type { TaskReply } from '../../threads/TaskThread.js';
import { loadMechanismSource } from '../mechanismModule.js';
import { type KernelSetup, ReplayKernel, type StreamTask } from '../ReplayKernel.js';
import type { WorkerRequest } from './ReplayPool.js';

/** A thread of `ReplayPool`: one kernel, fed with tasks and chunks of their anchors. */
const setup = workerData as KernelSetup;
for (const source of setup.mechanismSources) await loadMechanismSource(source);
const kernel = new ReplayKernel(setup);
const port = parentPort!;
let task: StreamTask | undefined;

port.on('message', (request: WorkerRequest) => {
  if (request.kind === 'task') {
    task = request.task;
    return;
  }
  try {
    kernel.replay(task!, request.start, request.end);
    port.postMessage({} satisfies TaskReply<void>);
  } catch (error) {
    port.postMessage({ error } satisfies TaskReply<void>);
  }
});
