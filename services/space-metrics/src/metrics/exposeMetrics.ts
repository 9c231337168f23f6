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
}[] = [
  {
    name: 'space_metrics_satisfaction_enps',
    help: 'Employee net promoter score of the last 30 days, -100 to 100, from pulse surveys.',
    dimension: 'satisfaction',
    field: 'enps_score',
  },
  {
    name: 'space_metrics_performance_deployment_frequency',
    help: 'Deployments to production per week over the last 30 days.',
    dimension: 'performance',
    field: 'deployment_frequency',
  },
  {
    name: 'space_metrics_efficiency_cognitive_load',
    help: 'Mean raw task load index of the last 30 days, 0 to 100; higher is more load.',
    dimension: 'efficiency',
    field: 'cognitive_load_index',
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
 * Exposes the numbers of the contract by team. A scrape reads values computed earlier; a team that
 * is too small to be shown has no series.
 */
export function exposeMetrics(
  registry: Metrics,
  options: Exposed & { everySeconds: number },
): void {
  const { everySeconds, ...exposed } = options;
  for (const { name, help, dimension, field } of GAUGES) {
    registry.cachedGauge({
      name,
      help,
      labelNames: ['team'],
      everySeconds,
      compute: () => gaugeSamples(exposed, { dimension, field }),
    });
  }
  for (const { name, help, counted } of COUNTERS) {
    const counter = new Counter({
      name,
      help,
      labelNames: ['team'],
      registers: [registry.registry],
      async collect() {
        // Keeps the last values if the database is down, when the other metrics matter most.
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
  options: { dimension: DimensionName; field: string },
): Promise<{ labels: { team: string }; value: number }[]> {
  const { dimension, field } = options;
  const samples = [];
  for (const team of [ALL_TEAMS, ...(await numbers.teams())]) {
    const { values, samples: counts } = await metrics.current(dimension, {
      team,
      period: period(),
    });
    const value = values[field];
    // Without data there is no value, and a hidden one must not look like 0.
    if (typeof value === 'number' && Object.values(counts).some(Boolean)) {
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
