import { createReadStream, existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Type } from 'typebox';
import { attestationFileIn, attestationFileName } from '../../audit/attestation/artefacts.js';
import { parseEnvelope } from '../../audit/attestation/dsse.js';
import { type ProofVerdict, verifyProofs } from '../../audit/contract/verifyProofs.js';
import { type ContractFacts, contractFacts } from '../../report/contractFacts.js';
import { inRun, runLayout } from '../../store/runs/layout.js';
import type { RunReader } from '../../store/runs/RunReader.js';
import { formatInstant } from '../../time/formatInstant.js';
import { type AnswersAudit, answersSchema, auditAnswers } from '../auditAnswers.js';
import { type ServerContext, workspaceOf } from '../context.js';
import type { AuditJob } from '../runs/RunAudits.js';
import { anyObject, count, nullable, problemResponses, sha256Text } from '../schemas/common.js';
import type { ApiServer } from '../typeProvider.js';
import { missing, runParams } from './runs.js';

/** Audits and certificates of runs, and audits of answers against the event log. */
export function auditRoutes(app: ApiServer, context: ServerContext): void {
  const { runs, audits } = context;

  const auditAnswer = Type.Object({
    recorded: anyObject<ContractFacts>('The audit that the run records'),
    job: nullable(anyObject<ReturnType<typeof jobJson>>('The last audit that was asked for here')),
  });
  const answerOf = (run: RunReader) => {
    const job = audits.of(run.folder);
    return { recorded: contractFacts(run.manifest.contract), job: job === null ? null : jobJson(job) };
  };

  app.get(
    '/v1/runs/:run/audit',
    {
      schema: {
        summary: 'The audit that a run records, and the last one that was asked for here',
        tags: ['audit'],
        params: runParams,
        response: { 200: auditAnswer, ...problemResponses },
      },
    },
    async ({ params }) => answerOf(await runs.reader(params.run)),
  );

  app.post(
    '/v1/runs/:run/audit',
    {
      schema: {
        summary: 'Audit a run now, from its artefacts; ask for the result with GET',
        tags: ['audit'],
        params: runParams,
        response: { 202: auditAnswer, ...problemResponses },
      },
    },
    async ({ params }, reply) => {
      const run = await runs.reader(params.run);
      audits.start(run.folder);
      return reply.code(202).send(answerOf(run));
    },
  );

  app.get(
    '/v1/runs/:run/certificate',
    {
      schema: {
        summary:
          'What certifies a run: its manifest hash, its artefacts with digests, and the attestation if it is signed',
        tags: ['audit'],
        params: runParams,
        response: {
          200: Type.Object({
            runId: Type.String(),
            manifestHash: sha256Text,
            eligibility: anyObject<{ words: string; version: string }>('The rule that decides what is past'),
            artefacts: Type.Array(Type.Object({ path: Type.String(), bytes: count, sha256: sha256Text })),
            attestation: nullable(
              Type.Object({
                file: Type.String(),
                payloadType: Type.String(),
                keyIds: Type.Array(Type.String()),
                statement: Type.Unknown({ description: 'What was signed; the signature is not checked here' }),
              }),
            ),
          }),
          ...problemResponses,
        },
      },
    },
    async ({ params }) => {
      const { folder, manifest } = await runs.reader(params.run);
      return {
        runId: manifest.runId,
        manifestHash: manifest.hash,
        eligibility: manifest.eligibility,
        artefacts: manifest.artefacts,
        attestation: await attestationOf(folder),
      };
    },
  );

  app.get(
    '/v1/runs/:run/proofs',
    {
      schema: {
        summary: 'Verify the certificate of a run: the digests of its files and its consistency proofs, one by one',
        description:
          'Shows that each answer names a memory and a snapshot that are prefixes of the committed logs. That it was ' +
          'computed from them is for the audit, which recomputes it.',
        tags: ['audit'],
        params: runParams,
        response: { 200: anyObject<ProofVerdict>('The verdict'), ...problemResponses },
      },
    },
    async ({ params }) => verifyProofs(await runs.reader(params.run)),
  );

  app.get(
    '/v1/runs/:run/files/*',
    {
      schema: {
        summary: 'A file of a run: its manifest, its attestation, or one of the artefacts that the manifest lists',
        tags: ['audit'],
        params: Type.Object({ ...runParams.properties, '*': Type.String() }),
      },
    },
    async ({ params }, reply) => {
      const { folder, manifest } = await runs.reader(params.run);
      const wanted = params['*'];
      const listed = [runLayout.manifest, attestationFileName, ...manifest.artefacts.map(({ path: name }) => name)];
      // Only what is listed is given out, so no path leads outside the run.
      const file = inRun(folder, wanted);
      if (!listed.includes(wanted) || !existsSync(file)) {
        throw missing(`file ${JSON.stringify(wanted)} of run ${params.run}`, 'the certificate lists the files');
      }
      reply.header('content-disposition', `attachment; filename="${path.posix.basename(wanted)}"`);
      reply.header('content-length', (await stat(file)).size);
      return reply.type(mediaTypeOf(wanted)).send(createReadStream(file));
    },
  );

  app.post(
    '/v1/audits',
    {
      schema: {
        summary: 'Whether answers used only events that the log held strictly before them',
        tags: ['audit'],
        body: answersSchema,
        response: {
          200: anyObject<AnswersAudit>('The audit (asof audit-log --json)'),
          ...problemResponses,
        },
      },
    },
    async ({ body }) => auditAnswers(workspaceOf(context).shared.events, body),
  );
}

function jobJson({ startedAt, endedAt, report, ...job }: AuditJob) {
  return {
    ...job,
    startedAt: formatInstant(startedAt),
    endedAt: endedAt === null ? null : formatInstant(endedAt),
    facts: report === null ? null : contractFacts(report),
  };
}

async function attestationOf(folder: string) {
  const file = attestationFileIn(folder);
  if (!existsSync(file)) return null;
  const { payloadType, payload, signatures } = parseEnvelope(await readFile(file, 'utf8'), attestationFileName);
  return {
    file: attestationFileName,
    payloadType,
    keyIds: signatures.map(({ keyId }) => keyId),
    statement: JSON.parse(payload.toString()) as unknown,
  };
}

function mediaTypeOf(name: string): string {
  if (name.endsWith('.json')) return 'application/json; charset=utf-8';
  if (name.endsWith('.csv')) return 'text/csv; charset=utf-8';
  if (name.endsWith('.jsonl')) return 'application/x-ndjson';
  return 'application/octet-stream';
}
