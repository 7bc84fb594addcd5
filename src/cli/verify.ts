import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Command } from 'commander';
import { attestationFileIn } from '../audit/attestation/artefacts.js';
import { parseEnvelope } from '../audit/attestation/dsse.js';
import { readVerificationKey } from '../audit/attestation/keys.js';
import { verifyArtefacts, verifyEnvelope } from '../audit/attestation/verifyEnvelope.js';
import { AsofError } from '../errors/AsofError.js';
import { MissingResourceError } from '../errors/MissingResourceError.js';
import type { CliContext } from './context.js';
import { writeJson } from './output/json.js';
import { formatTable } from './output/table.js';

interface VerifyValues {
  key: string;
  artefacts?: string;
  json?: boolean;
}

const exitCodes = `
Exit codes: 0 verified; 2 no attestation, or a key that cannot be used; 4 bad signature; 5 signed with another key;
6 an artefact was altered; 7 an artefact is missing.`;

/** `asof verify <envelope|run>`: whether a key signed an attestation, and the artefacts are as signed. */
export function verifyCommand(context: CliContext): Command {
  return new Command('verify')
    .description('Check an attestation: its signature, and that every artefact is as signed')
    .argument('<attestation>', 'an attestation, or the folder of a signed run')
    .requiredOption('--key <file>', 'public key of the signer, got from where you trust it')
    .option('--artefacts <folder>', "where the artefacts are (default: the attestation's folder)")
    .option('--json', 'print JSON')
    .addHelpText('after', exitCodes)
    .action((path: string, values: VerifyValues) => verify(context, path, values));
}

async function verify(context: CliContext, path: string, values: VerifyValues): Promise<void> {
  try {
    await check(context, path, values);
  } catch (error) {
    if (values.json && AsofError.isInstance(error)) {
      writeJson(context.stdout, { verified: false, code: error.code, message: error.message });
    }
    throw error;
  }
}

async function check(context: CliContext, path: string, values: VerifyValues): Promise<void> {
  const key = await readVerificationKey(values.key);
  const file = (await isDirectory(path)) ? attestationFileIn(path) : path;
  const statement = verifyEnvelope(parseEnvelope(await readAttestation(file), file), key, file);
  const { verified, notCovered } = await verifyArtefacts(statement, values.artefacts ?? dirname(file), file);
  const { claim, signedAt, tool } = statement.predicate;
  if (values.json) {
    const { predicate } = statement;
    writeJson(context.stdout, { verified: true, keyId: key.keyId, predicate, artefacts: verified, notCovered });
    return;
  }
  const rows = [
    ['verified', file],
    ['signed with', key.keyId],
    ['claim', claim],
    ['signed at', `${signedAt}, by the signer's own clock`],
    ['made by', `${tool.name} ${tool.version}`],
    ['artefacts', `${verified.length} as signed`],
    ...notCovered.map((name) => ['not covered', name]),
  ];
  context.stdout.write(formatTable(rows));
}

async function isDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}

async function readAttestation(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new MissingResourceError({
      resource: file,
      remedy: 'expected an attestation; `asof run sign` makes one',
      cause,
    });
  }
}
