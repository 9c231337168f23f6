import type { ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import type { FlagAccess } from '../tokens/access.ts';
import type { ImpactRecord } from '../model/ImpactMetric.ts';
import type { ImpactMetrics } from './ImpactMetrics.ts';

type Labels = Readonly<Record<string, string>>;

/** Adds `GET /internal-backstage/impact/metrics`, impact metrics for Prometheus at the path of Unleash. */
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

/**
 * Writes records in the text format of Prometheus
 * (https://prometheus.io/docs/instrumenting/exposition_formats). Every name has one type:
 * records of another type under the same name are omitted.
 */
function writePrometheus(records: readonly ImpactRecord[]): string {
  return [...Map.groupBy(records, ({ name }) => name)]
    .map(([name, [first, ...others]]) => {
      const same = [first, ...others].filter(({ kind }) => kind === first.kind);
      return [
        `# TYPE ${name} ${first.kind}`,
        ...same.flatMap(linesOf),
        '',
      ].join('\n');
    })
    .join('');
}

function linesOf(record: ImpactRecord): string[] {
  const { name, kind, environment, sum, count, last, buckets } = record;
  // Older records may have a label of that name.
  const labels: Labels = Object.assign(
    { environment },
    JSON.parse(record.labels),
    { environment },
  );
  if (kind !== 'histogram') {
    return [lineOf(name, labels, kind === 'counter' ? sum : last)];
  }
  return [
    ...buckets.map(bucket =>
      lineOf(
        `${name}_bucket`,
        { ...labels, le: bucket.le === null ? '+Inf' : String(bucket.le) },
        bucket.count,
      ),
    ),
    lineOf(`${name}_sum`, labels, sum),
    lineOf(`${name}_count`, labels, count),
  ];
}

function lineOf(name: string, labels: Labels, value: number): string {
  const written = Object.entries(labels).map(
    ([label, text]) => `${label}="${escape(text)}"`,
  );
  return `${name}{${written.join(',')}} ${formatNumber(value)}`;
}

/** Formats a number; sums may overflow to infinity. */
function formatNumber(value: number): string {
  return String(value).replace(/^(-?)Infinity$/, (_all, sign) =>
    sign === '' ? '+Inf' : '-Inf',
  );
}

function escape(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n');
}
