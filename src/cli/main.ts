#!/usr/bin/env node
import { processContext } from './context.js';
import { runCli } from './runCli.js';

// A reader that has seen enough (`asof ... | head`) is no error; the command goes on to its own exit code.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await runCli(processContext());
