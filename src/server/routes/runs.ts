import { Type } from 'typebox';
import { MissingResourceError } from '../../errors/MissingResourceError.js';
import { cellDimensions, cellName } from '../../report/cellNames.js';
import { contractFacts } from '../../report/contractFacts.js';
import { type GateReport, gateReport } from '../../report/gateReport.js';
import { type ReportFormat, renderReport, reportFormats } from '../../report/renderReport.js';
import { allCells, type Report } from '../../report/report.js';
import type { RunReader } from '../../store/runs/RunReader.js';
import { formatInstant } from '../../time/formatInstant.js';
import type { ServerContext } from '../context.js';
import type { AuditJob } from '../runs/RunAudits.js';
import { anyObject, count, exact, nullable, problemResponses } from '../schemas/common.js';
import type { ApiServer } from '../typeProvider.js';

export const runParams = Type.Object({ run: Type.String({ description: 'Name of a run: its folder' }) });

/** A run in a list. */
const runSummarySchema = Type.Object({
  name: Type.String(),
  runId: Type.String(),
  title: Type.String(),
  recordedAt: nullable(Type.String({ description: 'When it was made, as it records' })),
  domains: Type.Array(Type.String()),
  mechanisms: Type.Array(Type.String()),
  cells: count,
  rows: count,
  contract: Type.Union([Type.Literal('holds'), Type.Literal('fails'), Type.Literal('not audited')], {
    description: "What the run's own record says of its contract: an account, no verdict",
  }),
  audit: nullable(
    Type.Object(
      {
        state: Type.Union([Type.Literal('running'), Type.Literal('done'), Type.Literal('failed')]),
        startedAt: Type.String(),
        verdict: nullable(Type.Union([Type.Literal('holds'), Type.Literal('fails')])),
      },
      { description: 'The last audit that this server made of it; null while there was none' },
    ),
  ),
  /** Why the run cannot be read, where it cannot. */
  fault: nullable(Type.String()),
});

const mediaTypes: Readonly<Record<ReportFormat, string>> = {
  html: 'text/html; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/** Replay runs: what they measured. */
export function runRoutes(app: ApiServer, { runs, audits }: ServerContext): void {
  app.get(
    '/v1/runs',
    {
      schema: {
        summary: 'The finished runs that are served',
        tags: ['runs'],
        response: { 200: Type.Object({ runs: Type.Array(runSummarySchema) }), ...problemResponses },
      },
    },
    async () => {
      const names = await runs.names();
      return {
        runs: await Promise.all(
          names.map((name) =>
            runs.reader(name).then(
              (run) => summaryOf(name, run, audits.of(run.folder)),
              (error: Error) => faulty(name, error),
            ),
          ),
        ),
      };
    },
  );

  app.get(
    '/v1/runs/:run',
    {
      schema: {
        summary: 'All that a run says: effects with intervals, dose, quartiles, metrics, contract, gate, manifest',
        tags: ['runs'],
        params: runParams,
        response: {
          200: Type.Object({
            name: Type.String(),
            report: anyObject<Report>('The report (asof report --format json)'),
            gate: anyObject<GateReport>('The release gate (asof gate --json)'),
            cellNames: Type.Array(Type.String(), { description: 'Names of the cells, in the order of the report' }),
          }),
          ...problemResponses,
        },
      },
    },
    async ({ params }) => {
      const report = await runs.report(params.run);
      const dimensions = report.varying.length > 0 ? report.varying : cellDimensions;
      return {
        name: params.run,
        report,
        gate: gateReport(report),
        cellNames: allCells(report).map(({ effects }) => cellName(effects.key, dimensions)),
      };
    },
  );

  app.get(
    '/v1/runs/:run/report',
    {
      schema: {
        summary: 'The report of a run as a page, as Markdown or as data',
        tags: ['runs'],
        params: runParams,
        querystring: exact({ format: Type.Optional(Type.Enum([...reportFormats])) }),
      },
    },
    async ({ params, query }, reply) => {
      const format = query.format ?? 'html';
      const text = renderReport(await runs.report(params.run), format);
      return reply.type(mediaTypes[format]).send(text);
    },
  );
}

function summaryOf(name: string, { manifest }: RunReader, job: AuditJob | null) {
  const { createdAt, finishedAt, at } = manifest.recorded as Record<string, unknown>;
  const recordedAt = [finishedAt, createdAt, at].find((value) => typeof value === 'string') ?? null;
  return {
    name,
    runId: manifest.runId,
    title: String(manifest.experiment.name),
    recordedAt: recordedAt as string | null,
    domains: manifest.domains.map((domain) => domain.name),
    mechanisms: manifest.mechanisms.map(({ label }) => label),
    cells: new Set(
      manifest.domains.flatMap((domain) =>
        domain.shards.map(({ stream, retriever, mechanism }) => [domain.name, stream, retriever, mechanism].join('\0')),
      ),
    ).size,
    rows: manifest.rows,
    contract: contractFacts(manifest.contract).state,
    audit: job === null ? null : auditOf(job),
    fault: null,
  };
}

function auditOf({ state, startedAt, report }: AuditJob) {
  const verdict = report === null ? null : report.holds ? ('holds' as const) : ('fails' as const);
  return { state, startedAt: formatInstant(startedAt), verdict };
}

function faulty(name: string, error: Error) {
  const none = { runId: '', title: name, recordedAt: null, domains: [], mechanisms: [], cells: 0, rows: 0 };
  return { ...none, name, contract: 'not audited' as const, audit: null, fault: error.message };
}

/** @throws MissingResourceError, for what a run does not hold */
export function missing(resource: string, remedy: string): MissingResourceError {
  return new MissingResourceError({ resource, remedy });
}
