import type { ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import type { FlagAccess } from '../tokens/access.ts';
import type { ImpactMetrics } from './ImpactMetrics.ts';
import { writePrometheus } from './writePrometheus.ts';

/** Adds `GET /internal-backstage/impact/metrics`, the path that Unleash uses: impact metrics for Prometheus. */
export function prometheusRoutes(
  app: ServiceApp,
  { impact, access }: { impact: ImpactMetrics; access: FlagAccess },
): void {
  app.get(
    '/internal-backstage/impact/metrics',
    {
      config: { access: access.read },
      schema: {
        tags: ['usage'],
        summary:
          'Get the impact metrics of all applications for Prometheus; the same from every replica',
        response: { 200: Type.String() },
      },
    },
    async (_request, reply) => {
      reply.type('text/plain; version=0.0.4; charset=utf-8');
      return writePrometheus(await impact.totals());
    },
  );
}
