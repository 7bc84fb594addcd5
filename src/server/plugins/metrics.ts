import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What the server counts of itself, in Prometheus' terms. */
export class ServerMetrics {
  readonly registry = new Registry();
  readonly ingestedRecords = new Counter({
    name: 'asof_ingested_records_total',
    help: 'Records read by ingests that were committed',
    registers: [this.registry],
  });
  readonly waitingIngests = new Gauge({
    name: 'asof_waiting_ingests',
    help: 'Ingests that wait, and the one at work',
    registers: [this.registry],
  });
  readonly logSize = new Gauge({
    name: 'asof_log_operations',
    help: 'Operations in the asset log that is being served',
    registers: [this.registry],
  });
  readonly #requests = new Histogram({
    name: 'asof_http_request_duration_seconds',
    help: 'Time from the request to the end of the answer',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [this.registry],
  });

  /** Measures every request of the server, and serves `/metrics`. */
  register(app: FastifyInstance): void {
    collectDefaultMetrics({ register: this.registry });
    app.addHook('onResponse', async (request, reply) => {
      // The route's pattern, not the address: ids must not make a series each.
      const route = request.routeOptions.url ?? 'none';
      const labels = { method: request.method, route, status: String(reply.statusCode) };
      this.#requests.observe(labels, reply.elapsedTime / 1000);
    });
    app.get(
      '/metrics',
      { schema: { summary: 'Metrics in the Prometheus text format', tags: ['server'] } },
      async (_, reply) => reply.type(this.registry.contentType).send(await this.registry.metrics()),
    );
  }
}
