import type { Metrics } from '@slipway/service-kit';
import { Counter } from 'prom-client';
import type { DimensionName } from './Dimension.ts';
import type { Numbers } from './Numbers.ts';
import type { SpaceMetrics } from './SpaceMetrics.ts';
import { ALL_TEAMS, NO_TEAM } from '../people/team.ts';
import type { Period } from '../periods/Period.ts';

interface Exposed {
  metrics: SpaceMetrics;
  numbers: Numbers;
  /** Returns the days that gauges cover. */
  period: () => Period;
}

const GAUGES: readonly {
  name: string;
  help: string;
  dimension: DimensionName;
  field: string;
  /** The key in `samples` of the count that shows whether there is a value. */
  sample: string;
  /** True if 0 is a valid value, provided that there is other data. */
  hasZero?: boolean;
}[] = [
  {
    name: 'space_metrics_satisfaction_enps',
    help: 'Employee net promoter score of the last 30 days, -100 to 100, from pulse surveys.',
    dimension: 'satisfaction',
    field: 'enps_score',
    sample: 'responses',
  },
  {
    name: 'space_metrics_performance_deployment_frequency',
    help: 'Deployments to production per week over the last 30 days.',
    dimension: 'performance',
    field: 'deployment_frequency',
    sample: 'deployments',
    hasZero: true,
  },
  {
    name: 'space_metrics_efficiency_cognitive_load',
    help: 'Mean raw task load index of the last 30 days, 0 to 100; higher is more load.',
    dimension: 'efficiency',
    field: 'cognitive_load_index',
    sample: 'assessments',
  },
];

const COUNTERS: readonly {
  name: string;
  help: string;
  counted: 'commits' | 'messages';
}[] = [
  {
    name: 'space_metrics_activity_commits_total',
    help: 'Commits recorded, without merges and bots.',
    counted: 'commits',
  },
  {
    name: 'space_metrics_communication_messages_total',
    help: 'Chat messages counted.',
    counted: 'messages',
  },
];

/**
 * Exposes the contract's numbers by team. A scrape reads values that were computed earlier; a team
 * that is too small to be shown has no series.
 */
export function exposeMetrics(
  registry: Metrics,
  options: Exposed & { everySeconds: number },
): void {
  const { everySeconds, ...exposed } = options;
  for (const { name, help, ...gauge } of GAUGES) {
    registry.cachedGauge({
      name,
      help,
      labelNames: ['team'],
      everySeconds,
      compute: () => gaugeSamples(exposed, gauge),
    });
  }
  for (const { name, help, counted } of COUNTERS) {
    const counter = new Counter({
      name,
      help,
      labelNames: ['team'],
      registers: [registry.registry],
      async collect() {
        // Keeps the last values while the database is down, because the other metrics matter most
        // then.
        const samples = await exposed.numbers
          .counted(counted)
          .catch(() => undefined);
        if (!samples) {
          return;
        }
        counter.reset();
        for (const { team, total } of samples.filter(isNamed)) {
          counter.inc({ team }, total);
        }
      },
    });
  }
}

async function gaugeSamples(
  { metrics, numbers, period }: Exposed,
  gauge: Omit<(typeof GAUGES)[number], 'name' | 'help'>,
): Promise<{ labels: { team: string }; value: number }[]> {
  const { dimension, field, sample, hasZero = false } = gauge;
  const samples = [];
  for (const team of [ALL_TEAMS, ...(await numbers.teams())]) {
    const reading = await metrics.current(dimension, {
      team,
      period: period(),
    });
    const value = reading.values[field];
    const counts = reading.samples;
    // Without data there is no value, and a hidden or unknown one must not look like 0.
    const isKnown =
      counts[sample] > 0 ||
      (hasZero && !reading.stale && Object.values(counts).some(Boolean));
    if (typeof value === 'number' && isKnown) {
      samples.push({
        labels: { team: team === ALL_TEAMS ? 'all' : team },
        value,
      });
    }
  }
  return samples;
}

function isNamed({ team }: { team: string }): boolean {
  return team !== NO_TEAM;
}
