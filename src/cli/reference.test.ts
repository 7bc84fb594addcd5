import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { processContext } from './context.js';
import { commandReference } from './reference.js';
import { buildProgram } from './runCli.js';

it('docs/cli.md says what the commands say (npm run build:cli-reference)', () => {
  const file = new URL('../../docs/cli.md', import.meta.url);
  expect(readFileSync(file, 'utf8')).toBe(commandReference(buildProgram(processContext())));
});
