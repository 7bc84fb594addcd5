import { Command, Option } from 'commander';
import { attestationFileIn, digestDirectory } from '../audit/attestation/artefacts.js';
import { formatEnvelope } from '../audit/attestation/dsse.js';
import { readSigningKey } from '../audit/attestation/keys.js';
import type { AttestationPredicate } from '../audit/attestation/predicate.js';
import { signStatement } from '../audit/attestation/signStatement.js';
import { writeNewFile } from '../files/newFile.js';
import { formatInstant } from '../time/formatInstant.js';
import type { CliContext } from './context.js';
import { writeJson } from './output/json.js';
import { formatTable } from './output/table.js';
import { packageVersion } from './packageVersion.js';

interface SignValues {
  key: string;
  claim: AttestationPredicate['claim'];
  out?: string;
  json?: boolean;
}

/** `asof run sign <run>`: an attestation over every file of a run. */
export function signCommand(context: CliContext): Command {
  return new Command('sign')
    .description('Sign the digests of all files of a run, as an in-toto statement in a DSSE envelope')
    .argument('<run>', 'folder of the run')
    .requiredOption('--key <file>', 'private key, as `asof key generate` writes it')
    .addOption(
      new Option('--claim <kind>', 'what the files are')
        .choices(['replay-run', 'log-audit', 'artefacts'])
        .default('replay-run'),
    )
    .option('--out <file>', 'where to write the attestation (default: attestation.dsse.json in the run)')
    .option('--json', 'print JSON')
    .action((run: string, values: SignValues) => sign(context, run, values));
}

async function sign(context: CliContext, run: string, values: SignValues): Promise<void> {
  const key = await readSigningKey(values.key);
  const out = values.out ?? attestationFileIn(run);
  const subjects = await digestDirectory(run);
  const tool = { name: 'asof', version: packageVersion() };
  const signedAt = formatInstant(context.now());
  const envelope = signStatement({ subjects, predicate: { claim: values.claim, tool, signedAt } }, key);
  await writeNewFile(out, formatEnvelope(envelope), { remedy: 'remove it to sign anew, or choose another --out' });
  if (values.json) {
    writeJson(context.stdout, { attestation: out, keyId: key.keyId, artefacts: subjects.length, signedAt });
    return;
  }
  const rows = [
    ['attestation', out],
    ['artefacts', String(subjects.length)],
    ['signed with', key.keyId],
    ['signed at', signedAt],
  ];
  context.stdout.write(formatTable(rows));
}
