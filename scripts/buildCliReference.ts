import { writeFileSync } from 'node:fs';
import { processContext } from '../src/cli/context.js';
import { commandReference } from '../src/cli/reference.js';
import { buildProgram } from '../src/cli/runCli.js';

/** Writes `docs/cli.md` from the commands. */
writeFileSync(new URL('../docs/cli.md', import.meta.url), commandReference(buildProgram(processContext())));
