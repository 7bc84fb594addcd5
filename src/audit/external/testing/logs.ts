import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { InputSet } from '../../../corpus/readers/inputs.js';
import { jsonLines } from '../../../corpus/testing/temporaryFiles.js';
import { type AuditLogOptions, auditLog, type LogAudit } from '../auditLog.js';
import { logFormatOfFile } from '../formats/logFormats.js';

/** A directory for the files of a test; `remove` when done. */
export function temporaryDirectory() {
  const path = mkdtempSync(join(tmpdir(), 'asof-audit-'));
  return {
    path,
    write(name: string, content: string | Buffer): string {
      const file = join(path, name);
      writeFileSync(file, content);
      return file;
    },
    remove: () => rmSync(path, { recursive: true }),
  };
}

export const day = (number: number) => `2024-01-${String(number).padStart(2, '0')}T00:00:00Z`;

/** Audits files whose formats follow from their names. */
export function auditFiles(
  events: readonly string[],
  answers: readonly string[],
  options: Partial<AuditLogOptions> = {},
): Promise<LogAudit> {
  const filesOf = (paths: readonly string[]) => paths.map((path) => ({ path, format: logFormatOfFile(path) }));
  return auditLog({ events: filesOf(events), answers: filesOf(answers), ...options });
}

/** Audits records, the events from standard input. */
export function auditRecords(
  events: readonly unknown[],
  answers: readonly unknown[],
  options: Partial<AuditLogOptions> = {},
): Promise<LogAudit> {
  const directory = temporaryDirectory();
  const file = directory.write('answers.jsonl', jsonLines(...answers));
  const inputs = new InputSet({ stdin: Readable.from([Buffer.from(jsonLines(...events))]) });
  return auditFiles(['-'], [file], { inputs, ...options }).finally(directory.remove);
}
