#!/usr/bin/env node
import { processContext } from './context.js';
import { runCli } from './runCli.js';

// A reader that has seen enough (`asof ... | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

process.exitCode = await runCli(process.argv.slice(2), processContext());
