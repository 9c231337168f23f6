import {
  type DeploymentDetails,
  type DoraMetric,
  type DoraMetricName,
  type DoraMetricsResponse,
  type IncidentDetails,
  moreIsBetter,
} from '@slipway/plugin-delivery-lake-common';
import {
  type EntitySummary,
  type Fact,
  figure,
  labelOf,
  type Need,
} from '@slipway/entity-contract';
import { serviceTitle, type TitleOf } from './deliveryItems';
import { type LakeScope, pageOfDeployment, pageOfIncident } from './LakeScope';

/** Number of days that the DORA metrics of a summary cover. */
export const PERIOD_DAYS = 30;

const LABELS = {
  deploymentFrequency: 'Deployment frequency',
  leadTimeForChanges: 'Lead time for changes',
  changeFailureRate: 'Change failure rate',
  timeToRestoreService: 'Time to restore service',
} as const satisfies Partial<Record<DoraMetricName, string>>;

const FACT_KIND = {
  'deploys/week': 'count',
  hours: 'duration',
  percent: 'percent',
} as const;

/** Returns `bad` if something is broken, otherwise whether anything was deployed. */
export function stateOf(options: {
  incidents: readonly IncidentDetails[];
  failed: readonly DeploymentDetails[];
  metrics: DoraMetricsResponse;
  runs: readonly Fact[];
}): EntitySummary['state'] {
  const { incidents, failed, metrics, runs } = options;
  if (incidents.length > 0 || failed.length > 0) {
    return 'bad';
  }
  const { samples } = metrics.metrics.deploymentFrequency;
  return samples > 0 || runs.length > 0 ? 'good' : 'quiet';
}

/** Presents the four DORA metrics as facts with a verdict. */
export function doraFacts({ metrics }: DoraMetricsResponse): Fact[] {
  const names = Object.keys(LABELS) as (keyof typeof LABELS)[];
  return names.map(name => doraFact(name, metrics[name]));
}

function doraFact(
  id: keyof typeof LABELS,
  { value, unit, samples, previous }: DoraMetric,
): Fact {
  const { factor, name } = unitFor(unit, value);
  return figure({
    id,
    label: `${LABELS[id]} (${PERIOD_DAYS} d)`,
    kind: FACT_KIND[unit],
    ...(name !== undefined && { unit: name }),
    value: samples > 0 ? value * factor : null,
    ...(previous.samples > 0 && { previous: previous.value * factor }),
    better: moreIsBetter(id) ? 'higher' : 'lower',
  });
}

/** Chooses the same unit as the plugin's pages: deployments per day, week or month. */
function unitFor(
  unit: DoraMetric['unit'],
  value: number,
): { factor: number; name?: string } {
  if (unit !== 'deploys/week') {
    return { factor: unit === 'hours' ? 3_600 : 1 };
  }
  if (value >= 10) {
    return { factor: 1 / 7, name: 'per day' };
  }
  return value >= 1 || value === 0
    ? { factor: 1, name: 'per week' }
    : { factor: 30 / 7, name: 'per month' };
}

/** Lists what needs the team's attention: open incidents and failed deployments. */
export function needsOf(options: {
  incidents: readonly IncidentDetails[];
  failed: readonly DeploymentDetails[];
  scope: LakeScope;
  titleOf: TitleOf;
}): Need[] {
  const { incidents, failed, scope, titleOf } = options;
  const broken = incidents.map((incident): Need => {
    const { id, title, entityRef, severity, startedAt } = incident;
    const service = serviceTitle(incident, titleOf) ?? 'Unknown service';
    return {
      key: `incident:${id}`,
      kind: 'incident-open',
      title: labelOf(title),
      detail: labelOf([service, severity].filter(Boolean).join(' · ')),
      at: startedAt,
      tone: 'bad',
      page: pageOfIncident(incident, scope),
      action: 'View incident',
      ...(entityRef !== null && { entityRef }),
    };
  });
  const stuck = failed.map((deployment): Need => ({
    key: `deployment:${deployment.id}`,
    kind: 'deployment-failed',
    title: labelOf(
      `${serviceTitle(deployment, titleOf)} ${deployment.version} failed to deploy`,
    ),
    detail: labelOf(deployment.commit.message || deployment.environment),
    at: deployment.endTime ?? deployment.startTime,
    tone: 'bad',
    page: pageOfDeployment(deployment, scope),
    action: 'View deployment',
    ...(deployment.entityRef !== null && { entityRef: deployment.entityRef }),
  }));
  return [...broken, ...stuck];
}
