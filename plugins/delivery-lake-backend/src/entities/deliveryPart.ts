import {
  type DeploymentDetails,
  type DoraMetric,
  type DoraMetricName,
  type DoraMetricsResponse,
  ENVIRONMENTS,
  type IncidentDetails,
} from '@slipway/plugin-delivery-lake-common';
import {
  type EntityScope,
  type EntitySummary,
  type Fact,
  figure,
  labelOf,
  type Need,
  type TimelineItem,
  type TimelineQuery,
  type Tone,
} from '@slipway/entity-contract';
import { EntityPart } from '@slipway/portal-kit';
import { HistoryService } from '../history/HistoryService';
import { DoraService } from '../metrics/DoraService';

const DAY_MS = 86_400_000;
const PERIOD_DAYS = 30;
/** Histories begin where they begin. */
const EVER = '2000-01-01';
/** A failed deployment waits for somebody for so long. */
const WAITING_DAYS = 14;
/** A user's groups beyond these are not looked at. */
const MOST_TEAMS = 5;
const MOST_NEEDS = 20;

/** What a query of the lake is narrowed to, in the words of its pages' addresses. */
interface LakeScope {
  readonly kind: 'service' | 'project' | 'team';
  readonly name: string;
}

const METRICS: Readonly<
  Partial<Record<DoraMetricName, { label: string; better: 'higher' | 'lower' }>>
> = {
  deploymentFrequency: { label: 'Deployment frequency', better: 'higher' },
  leadTimeForChanges: { label: 'Lead time for changes', better: 'lower' },
  changeFailureRate: { label: 'Change failure rate', better: 'lower' },
  timeToRestoreService: { label: 'Time to restore service', better: 'lower' },
};

const FACT_KIND = {
  'deploys/week': 'count',
  hours: 'duration',
  percent: 'percent',
} as const;

const STATES: Readonly<
  Record<DeploymentDetails['status'], { state: string; tone?: Tone }>
> = {
  PENDING: { state: 'Pending' },
  IN_PROGRESS: { state: 'In progress' },
  SUCCESS: { state: 'Succeeded', tone: 'good' },
  FAILURE: { state: 'Failed', tone: 'bad' },
  CANCELLED: { state: 'Cancelled' },
  ROLLED_BACK: { state: 'Rolled back', tone: 'warning' },
};

/** Tells what of an entity runs where, what is broken, and its DORA metrics. */
export function deliveryPart(options: {
  history: HistoryService;
  dora: DoraService;
  now?: () => number;
}): EntityPart {
  const { history, dora, now = Date.now } = options;
  const dayBefore = (days: number) =>
    new Date(now() - days * DAY_MS).toISOString().slice(0, 10);

  async function openIncidents(scope: LakeScope): Promise<IncidentDetails[]> {
    const { incidents } = await history.incidents({
      ...queryOf(scope),
      startDate: EVER,
      open: true,
      limit: MOST_NEEDS,
    });
    return incidents;
  }

  /** The last deployment to production of each service, where that failed. */
  async function failedDeployments(
    scope: LakeScope,
  ): Promise<DeploymentDetails[]> {
    const { deployments } = await history.deployments({
      ...queryOf(scope),
      startDate: dayBefore(WAITING_DAYS),
      environment: 'prod',
      limit: 200,
    });
    const newest = new Map<string, DeploymentDetails>();
    for (const deployment of deployments) {
      const { service, status } = deployment;
      if (STATES[status].tone !== undefined && !newest.has(service)) {
        newest.set(service, deployment);
      }
    }
    return [...newest.values()].filter(({ status }) => status === 'FAILURE');
  }

  /** What succeeded last in each environment. */
  async function running(scope: LakeScope): Promise<Fact[]> {
    const found = await Promise.all(
      [...ENVIRONMENTS].reverse().map(async environment => {
        const { deployments } = await history.deployments({
          ...queryOf(scope),
          startDate: EVER,
          environment,
          status: 'SUCCESS',
          limit: 1,
        });
        return deployments;
      }),
    );
    return found.flat().map(deployment => ({
      id: `runs:${deployment.environment}`,
      label: deployment.environment,
      kind: 'text',
      value: labelOf(deployment.version),
      at: deployment.endTime ?? deployment.startTime,
      by: deployment.triggeredBy,
      page: pageOfDeployment(deployment, scope),
    }));
  }

  async function summaryOf(
    scope: LakeScope,
    kind: EntityScope['kind'],
  ): Promise<EntitySummary> {
    const [metrics, incidents, failed, runs] = await Promise.all([
      dora.metrics({
        ...queryOf(scope),
        startDate: dayBefore(PERIOD_DAYS - 1),
        endDate: dayBefore(0),
      }),
      openIncidents(scope),
      failedDeployments(scope),
      kind === 'component' ? running(scope) : [],
    ]);
    const needs = needsOf({ incidents, failed, scope });
    return {
      state: stateOf({ incidents, failed, metrics, runs }),
      page: `/delivery?${addressOf(scope)}`,
      facts: [
        ...runs,
        {
          id: 'incidents',
          label: 'Open incidents',
          kind: 'count',
          value: incidents.length,
          page: `/delivery/incidents?${addressOf(scope)}&open=true`,
          tone: incidents.length > 0 ? 'bad' : 'good',
        },
        ...doraFacts(metrics),
      ],
      needs,
    };
  }

  return {
    async summary(scope): Promise<EntitySummary> {
      if (scope.kind !== 'user') {
        const [own] = lakeScopesOf(scope);
        return summaryOf(own, scope.kind);
      }
      const needs = await Promise.all(
        lakeScopesOf(scope).map(async own =>
          needsOf({
            incidents: await openIncidents(own),
            failed: await failedDeployments(own),
            scope: own,
          }),
        ),
      );
      const unique = new Map(needs.flat().map(need => [need.key, need]));
      return {
        state: unique.size > 0 ? 'bad' : 'good',
        page: '/delivery',
        facts: [],
        needs: [...unique.values()].slice(0, MOST_NEEDS),
      };
    },

    async timeline(scope, query): Promise<TimelineItem[]> {
      const found = await Promise.all(
        lakeScopesOf(scope).flatMap(own => [
          query.kinds.has('deployment') ? deploymentsIn(own, query) : [],
          query.kinds.has('incident') ? incidentsIn(own, query) : [],
        ]),
      );
      return found.flat();
    },
  };

  async function deploymentsIn(
    scope: LakeScope,
    { from, to, limit }: TimelineQuery,
  ): Promise<TimelineItem[]> {
    const { deployments } = await history.deployments({
      ...queryOf(scope),
      ...daysOf(from, to),
      limit: Math.min(200, limit + 1),
    });
    return deployments
      .map(deployment => itemOfDeployment(deployment, scope))
      .filter(({ at }) => isWithin(at, from, to));
  }

  async function incidentsIn(
    scope: LakeScope,
    { from, to, limit }: TimelineQuery,
  ): Promise<TimelineItem[]> {
    const { incidents } = await history.incidents({
      ...queryOf(scope),
      ...daysOf(from, to),
      limit: Math.min(200, limit + 1),
    });
    return incidents
      .map(incident => itemOfIncident(incident, scope))
      .filter(({ at }) => isWithin(at, from, to));
  }
}

function lakeScopesOf({ kind, ref, teams }: EntityScope): LakeScope[] {
  switch (kind) {
    case 'component':
      return [{ kind: 'service', name: ref }];
    case 'system':
      return [{ kind: 'project', name: ref }];
    case 'group':
      return [{ kind: 'team', name: ref }];
    default:
      return teams
        .slice(0, MOST_TEAMS)
        .map(name => ({ kind: 'team' as const, name }));
  }
}

/** The parameters by which the lake's own queries name a scope. */
function queryOf({ kind, name }: LakeScope) {
  const of = (one: LakeScope['kind']) => (kind === one ? name : undefined);
  return {
    project: of('project'),
    team: of('team'),
    service: of('service'),
    environment: undefined,
  };
}

function stateOf(options: {
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

function doraFacts({ metrics }: DoraMetricsResponse): Fact[] {
  return Object.entries(metrics).flatMap(([name, metric]) => {
    const words = METRICS[name as DoraMetricName];
    return words ? [doraFact(name, metric, words)] : [];
  });
}

function doraFact(
  id: string,
  { value, unit, samples, previous }: DoraMetric,
  { label, better }: { label: string; better: 'higher' | 'lower' },
): Fact {
  const { factor, name } = unitFor(unit, value);
  return figure({
    id,
    label: `${label} (${PERIOD_DAYS} d)`,
    kind: FACT_KIND[unit],
    ...(name !== undefined && { unit: name }),
    value: samples > 0 ? value * factor : null,
    ...(previous.samples > 0 && { previous: previous.value * factor }),
    better,
  });
}

/** Chooses the unit that the plugin's pages choose: frequencies by day, week or month. */
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

function needsOf(options: {
  incidents: readonly IncidentDetails[];
  failed: readonly DeploymentDetails[];
  scope: LakeScope;
}): Need[] {
  const { incidents, failed, scope } = options;
  const broken = incidents.map(
    ({ id, title, service, severity, startedAt }): Need => ({
      key: `incident:${id}`,
      kind: 'incident-open',
      title: labelOf(title),
      detail: labelOf(
        [service ?? 'Unknown service', severity].filter(Boolean).join(' · '),
      ),
      at: startedAt,
      tone: 'bad',
      page: `/delivery/incidents?${addressOf(scope)}&open=true`,
      action: 'View incident',
    }),
  );
  const stuck = failed.map((deployment): Need => ({
    key: `deployment:${deployment.id}`,
    kind: 'deployment-failed',
    title: labelOf(
      `${deployment.service} ${deployment.version} failed to deploy`,
    ),
    detail: labelOf(deployment.commit.message || deployment.environment),
    at: deployment.endTime ?? deployment.startTime,
    tone: 'bad',
    page: pageOfDeployment(deployment, scope),
    action: 'View deployment',
  }));
  return [...broken, ...stuck].slice(0, MOST_NEEDS);
}

function itemOfDeployment(
  deployment: DeploymentDetails,
  scope: LakeScope,
): TimelineItem {
  const { id, service, version, environment, status } = deployment;
  const { state, tone } = STATES[status];
  const isBad = deployment.failed && tone === 'good';
  return {
    id: `deployment:${id}`,
    kind: 'deployment',
    at: deployment.endTime ?? deployment.startTime,
    title: labelOf(`${service} ${version} to ${environment}`),
    state: isBad ? 'Caused a failure' : state,
    ...(isBad ? { tone: 'bad' as const } : tone && { tone }),
    by: deployment.triggeredBy,
    page: pageOfDeployment(deployment, scope),
    ...(deployment.commit.sha && { commit: deployment.commit.sha }),
    neighbours: deployment.incidents.slice(0, 10).map(({ title }) => ({
      kind: 'incident',
      title: labelOf(title),
      page: pageOfIncident(title, scope),
    })),
  };
}

function itemOfIncident(
  incident: IncidentDetails,
  scope: LakeScope,
): TimelineItem {
  const { id, title, service, startedAt, resolvedAt, deployment } = incident;
  return {
    id: `incident:${id}`,
    kind: 'incident',
    at: startedAt,
    title: labelOf(title),
    state: resolvedAt === null ? 'Open' : 'Resolved',
    tone: resolvedAt === null ? 'bad' : 'good',
    page: pageOfIncident(title, scope),
    neighbours: deployment
      ? [
          {
            kind: 'deployment',
            title: labelOf(
              [service, deployment.version].filter(Boolean).join(' '),
            ),
            page: `/delivery/deployments/${deployment.id}?${addressOf(scope)}`,
          },
        ]
      : [],
  };
}

function pageOfDeployment({ id }: { id: string }, scope: LakeScope): string {
  return `/delivery/deployments/${encodeURIComponent(id)}?${addressOf(scope)}`;
}

function pageOfIncident(title: string, scope: LakeScope): string {
  return `/delivery/incidents?${addressOf(scope)}&period=12m&q=${encodeURIComponent(title)}`;
}

/** The scope as pages of the plugin read it from an address. */
function addressOf({ kind, name }: LakeScope): string {
  return `scope=${encodeURIComponent(`${kind}:${name}`)}`;
}

/** Whole days around a span: the lake's begin in a zone of its own. */
function daysOf(
  from: number,
  to: number,
): { startDate: string; endDate: string } {
  const day = (moment: number) => new Date(moment).toISOString().slice(0, 10);
  return { startDate: day(from - DAY_MS), endDate: day(to + DAY_MS) };
}

function isWithin(at: string, from: number, to: number): boolean {
  const moment = Date.parse(at);
  return moment >= from && moment < to;
}
