import { Command, Option } from 'commander';
import { type AuditLogOptions, auditLog, type LogAudit } from '../audit/external/auditLog.js';
import { auditJson } from '../audit/external/output/auditJson.js';
import { auditJunit } from '../audit/external/output/auditJunit.js';
import { auditSarif } from '../audit/external/output/auditSarif.js';
import { groupDigits, statusMeaning } from '../audit/external/output/describe.js';
import { VerdictWriter } from '../audit/external/output/VerdictWriter.js';
import { InputSet } from '../corpus/readers/inputs.js';
import { ContractViolationError } from '../errors/ContractViolationError.js';
import { FaultyLogError } from '../errors/FaultyLogError.js';
import { checkOutputFile, writeOutputFile } from '../files/outputFile.js';
import type { CliContext } from './context.js';
import { type AuditLogOptionValues, addAuditLogOptions, auditLogOptionsOf } from './options/auditLogOptions.js';
import { auditText } from './output/auditText.js';
import { writeJson } from './output/json.js';
import { packageVersion } from './packageVersion.js';

type OutputFormat = 'text' | 'json' | 'junit' | 'sarif';
type Values = AuditLogOptionValues & {
  json?: boolean;
  format?: OutputFormat;
  strict?: boolean;
  perAnswer?: string;
  force?: boolean;
};

const exitCodes = `
Exit codes: 0 every entry checked and legal, or, without --strict, none found illegal; 3 an answer used something from
later, or, with --strict, an entry could not be checked; 2 the logs could not be read, or contradict themselves; 8 the
file of --per-answer cannot be written.`;

/** `asof audit-log`: whether the answers of any system used only what it had observed before. */
export function auditLogCommand(context: CliContext): Command {
  const command = new Command('audit-log').description(
    'Audit logs of any system: every event that an answer used, and all that it depends on, was observed strictly before',
  );
  return addAuditLogOptions(command)
    .option('--strict', 'end with 3 when entries could not be checked, too')
    .addOption(new Option('--format <format>', 'what to print').choices(['text', 'json', 'junit', 'sarif']))
    .option('--json', 'print JSON')
    .option('--per-answer <file>', 'write the verdict on every answer to a file, as JSON Lines')
    .option('--force', 'replace the file of --per-answer')
    .addHelpText('after', exitCodes)
    .action((values: Values) => audit(context, values));
}

async function audit(context: CliContext, values: Values): Promise<void> {
  const options = {
    ...auditLogOptionsOf(values),
    inputs: new InputSet({ stdin: context.stdin }),
    ...progressOn(context),
  };
  const result = await auditWithVerdicts(options, values);
  if (context.stderr.isTTY) context.stderr.write('\r\u001b[K');
  print(context, result, values);
  const { status, totals } = result;
  if (status === 'violation') {
    throw new ContractViolationError(
      `${groupDigits(totals.violation)} of ${groupDigits(totals.answers)} answers used something that was not observed strictly before`,
    );
  }
  if (status === 'faulty') throw new FaultyLogError(statusMeaning.faulty);
  if (status === 'partial') {
    const message = `${groupDigits(totals.unverifiable)} of ${groupDigits(totals.answers)} answers could not be checked in full`;
    if (values.strict) throw new ContractViolationError(`${message} (--strict)`);
    context.stderr.write(`partial audit: ${message}\n`);
  }
}

async function auditWithVerdicts(options: AuditLogOptions, { perAnswer, force }: Values): Promise<LogAudit> {
  if (perAnswer === undefined) return auditLog(options);
  const inputs = [...options.events, ...options.answers].flatMap(({ path }) => (path === '-' ? [] : [path]));
  const output = await checkOutputFile(perAnswer, { argument: '--per-answer', force: force === true, inputs });
  return writeOutputFile(output, async (file) => {
    const writer = new VerdictWriter(file);
    const result = await auditLog({ ...options, onVerdict: (verdict, name) => writer.add(verdict, name) });
    await writer.flush();
    return result;
  });
}

function print(context: CliContext, result: LogAudit, values: Values): void {
  const format = values.json ? 'json' : (values.format ?? 'text');
  if (format === 'json') writeJson(context.stdout, auditJson(result));
  else if (format === 'sarif') writeJson(context.stdout, auditSarif(result, packageVersion()));
  else if (format === 'junit') context.stdout.write(auditJunit(result, { strict: values.strict === true }));
  else context.stdout.write(auditText(result, context));
}

/** On a terminal, one line that tells how far it is. */
function progressOn({ stderr }: CliContext): Pick<AuditLogOptions, 'onProgress'> {
  if (!stderr.isTTY) return {};
  return {
    onProgress: (phase, records) => void stderr.write(`\r\u001b[K${groupDigits(records)} ${phase} read`),
  };
}
