import { Type } from 'typebox';
import type { ServiceApp } from './ServiceApp.ts';
import type { Health, HealthFormat } from '../health/Health.ts';
import type { Metrics } from '../metrics/Metrics.ts';

/** The `config` of routes for operators: open, not rate limited, not logged. */
export const operational = {
  access: { ways: [], optional: true },
  limit: false,
  operational: true,
  otel: false,
} as const;

const defaultFormat: HealthFormat = ({ database, version, now }) => ({
  status: database === 'connected' ? 'ok' : 'degraded',
  version,
  database,
  timestamp: now.toISOString(),
});

const readiness = Type.Object({
  status: Type.Union([Type.Literal('ready'), Type.Literal('unavailable')]),
  checks: Type.Record(Type.String(), Type.Boolean()),
});

const liveness = Type.Object(
  {
    status: Type.String(),
    version: Type.Optional(Type.String()),
    database: Type.Union([
      Type.Literal('connected'),
      Type.Literal('disconnected'),
    ]),
    timestamp: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { additionalProperties: true },
);

/**
 * Adds `/health`, which reports whether the service can serve requests, and `/ready`, which reports
 * whether each dependency responds.
 */
export function healthRoutes(
  app: ServiceApp,
  options: {
    health: Health;
    format?: HealthFormat;
    version: string;
    now: () => number;
  },
): void {
  const { health, format = defaultFormat, version, now } = options;
  app.get(
    '/health',
    {
      config: operational,
      schema: {
        tags: ['operation'],
        summary:
          'Report whether the service is healthy; 503 while its database is unavailable',
        response: { 200: liveness, 503: liveness },
      },
    },
    async (_request, reply) => {
      const alive = await health.databaseAnswers();
      reply.code(alive ? 200 : 503).header('cache-control', 'no-store');
      return format({
        database: alive ? 'connected' : 'disconnected',
        version,
        now: new Date(now()),
      });
    },
  );
  app.get(
    '/ready',
    {
      config: operational,
      schema: {
        tags: ['operation'],
        summary:
          'Report whether the dependencies respond and the database is writable',
        response: {
          200: readiness,
          503: readiness,
        },
      },
    },
    async (_request, reply) => {
      const checks = await health.check();
      const ready = Object.values(checks).every(Boolean);
      reply.code(ready ? 200 : 503).header('cache-control', 'no-store');
      return {
        status: ready ? ('ready' as const) : ('unavailable' as const),
        checks,
      };
    },
  );
}

/** Serves `/metrics` in the Prometheus text format. */
export function metricsRoute(app: ServiceApp, metrics: Metrics): void {
  app.get(
    '/metrics',
    {
      config: operational,
      schema: {
        tags: ['operation'],
        summary: 'Get metrics in the Prometheus text format',
        produces: ['text/plain'],
      },
    },
    async (_request, reply) => {
      reply.type(metrics.registry.contentType);
      return metrics.toText();
    },
  );
}
