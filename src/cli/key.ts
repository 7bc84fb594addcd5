import { Command } from 'commander';
import { generateKey, keyFilesOf, writeKeyPair } from '../audit/attestation/keys.js';
import type { CliContext } from './context.js';
import { writeJson } from './output/json.js';
import { formatTable } from './output/table.js';

/** `asof key generate`: keys that sign attestations. */
export function keyCommand(context: CliContext): Command {
  const command = new Command('key').description('Make keys that sign attestations');
  command
    .command('generate')
    .description('Make an Ed25519 key pair; files that are there are never overwritten')
    .requiredOption('--out <prefix>', 'writes <prefix>.private.pem (for its owner alone) and <prefix>.public.pem')
    .option('--json', 'print JSON')
    .action((values: { out: string; json?: boolean }) => generate(context, values));
  return command;
}

async function generate(context: CliContext, values: { out: string; json?: boolean }): Promise<void> {
  const pair = generateKey();
  const files = keyFilesOf(values.out);
  await writeKeyPair(pair, files);
  if (values.json) {
    writeJson(context.stdout, { keyId: pair.keyId, ...files });
    return;
  }
  const rows = [
    ['private key', files.privateKeyFile],
    ['public key', files.publicKeyFile],
    ['key id', pair.keyId],
  ];
  context.stdout.write(formatTable(rows));
}
