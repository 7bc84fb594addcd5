#!/usr/bin/env node
import { environmentFault } from '../files/environmentFault.js';
import { processContext } from './context.js';
import { runCli } from './runCli.js';

const environmentFaultCode = 8;
let isStdoutLost = false;

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that has seen enough (`asof ... | head`) is no error; the command goes on to its own exit code.
  if (error.code === 'EPIPE' || isStdoutLost) return;
  isStdoutLost = true;
  process.exitCode ||= environmentFaultCode;
  process.stderr.write(`asof: ${(environmentFault(error, 'standard output') ?? error).message}\n`);
});
// There is nowhere left to tell of it.
process.stderr.on('error', () => {});

const exitCode = await runCli(processContext());
process.exitCode = exitCode === 0 && isStdoutLost ? environmentFaultCode : exitCode;
