import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { canonicalJson } from '../../commitment/canonicalJson.js';
import { sha256Hex } from '../../commitment/sha256.js';
import { mappingChoicesOf } from '../../corpus/ingest/mappingChoices.js';
import { presetNames } from '../../corpus/ingest/presets.js';
import { epochUnits } from '../../time/epoch.js';
import { type ServerContext, workspaceOf } from '../context.js';
import { type SpooledBody, spoolBody, tooLarge } from '../ingest/spoolBody.js';
import type { IngestAnswer } from '../ingest/writerTasks.js';
import { anyObject, exact, problemResponses } from '../schemas/common.js';
import type { ApiServer } from '../typeProvider.js';

const ndjson = 'application/x-ndjson';

const querySchema = exact({
  preset: Type.Optional(Type.Enum([...presetNames], { description: 'Mapping for records of a well-known kind' })),
  map: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Where a field of an asset comes from: text=description; may be repeated',
    }),
  ),
  eventAt: Type.Optional(
    Type.String({ description: "Field of the event time; 'available' takes that of availability where it is missing" }),
  ),
  availableAt: Type.Optional(Type.String({ description: 'Field of the time of availability; the ingest by default' })),
  zone: Type.Optional(Type.String({ description: 'IANA time zone of times without offset' })),
  epoch: Type.Optional(Type.Enum([...epochUnits], { description: 'Times are numbers that count this since 1970' })),
  dateFormat: Type.Optional(Type.String({ description: 'Times are texts in this format' })),
  onError: Type.Optional(
    Type.Enum(['stop', 'skip'], { description: 'A record that cannot be used ends the ingest, or is set aside' }),
  ),
  backfill: Type.Optional(Type.Boolean({ description: 'Allow records available before the newest in the log' })),
});

/** `POST /v1/ingest`: records into the log, all of a body or none of it. */
export function ingestRoutes(app: ApiServer, context: ServerContext): void {
  const limit = context.limits.ingestBytes;
  app.register(async (scope: ApiServer) => {
    // Records come one a line: a body of JSON is another type, and refused as such.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser([ndjson, 'application/jsonl'], (_request, payload, done) => done(null, payload));
    scope.post(
      '/v1/ingest',
      {
        bodyLimit: limit,
        handlerTimeout: context.limits.ingestTime,
        schema: {
          summary: 'Read records into the log, one JSON object a line; a whole body is one commit',
          description:
            'The body is put on disk as it arrives and read when it is whole, so that a connection that breaks changes' +
            ' nothing. The same body with the same Idempotency-Key is taken once, also after a restart.',
          tags: ['workspace'],
          consumes: [ndjson, 'application/jsonl'],
          querystring: querySchema,
          headers: Type.Object({
            'idempotency-key': Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
          }),
          response: { 200: anyObject<IngestAnswer>('What the ingest did, and the log after it'), ...problemResponses },
        },
      },
      async ({ query, headers, body }, reply) => {
        const { queue, keys } = workspaceOf(context);
        if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
        const { onError = 'stop', backfill = false, ...choices } = query;
        const mapping = mappingChoicesOf(choices);
        const leave = queue.enter();
        let spooled: SpooledBody | undefined;
        try {
          const kept = await spoolBody(body as Readable, limit);
          spooled = kept;
          const act = async (): Promise<IngestAnswer> => {
            const answer = await queue.ingest({ file: kept.file, now: context.now, mapping, onError, backfill });
            context.metrics.ingestedRecords.inc(answer.report.read);
            context.metrics.logSize.set(answer.log.size);
            return answer;
          };
          const key = headers['idempotency-key'];
          if (key === undefined) return await act();
          const request = sha256Hex(canonicalJson({ body: kept.sha256, query: { ...query } }));
          const { answer, replayed } = await keys.once(key, request, act);
          if (replayed) reply.header('idempotency-replayed', 'true');
          return answer;
        } finally {
          leave();
          await spooled?.remove();
        }
      },
    );
  });
}
