import {
  type DeploymentDetails,
  ENVIRONMENTS,
  type IncidentDetails,
} from '@slipway/plugin-delivery-lake-common';
import {
  type EntityScope,
  type EntitySummary,
  type Fact,
  isoOf,
  labelOf,
  type TimelineItem,
  type TimelineQuery,
} from '@slipway/entity-contract';
import { EntityPart } from '@slipway/portal-kit';
import { DateTime } from 'luxon';
import { ServiceDirectory } from '../catalog/ServiceDirectory';
import { HistoryService } from '../history/HistoryService';
import type { DeploymentsQuery } from '../history/schemas';
import { DoraService } from '../metrics/DoraService';
import {
  doraFacts,
  MOST_NEEDS,
  needsOf,
  PERIOD_DAYS,
  stateOf,
} from './deliveryFacts';
import { itemOfDeployment, itemOfIncident, STATES } from './deliveryItems';
import {
  addressOf,
  type LakeScope,
  lakeScopesOf,
  pageOfDeployment,
  queryOf,
} from './LakeScope';

/** A start date earlier than any record. */
const EVER = '2000-01-01';
/** Failed deployments older than this many days no longer need attention. */
const WAITING_DAYS = 14;
/** Maximum number of deployments that a query returns. */
const MAX_PAGE = 200;

/**
 * Creates the part of an entity's page that reports which versions run where, open incidents and
 * failed deployments, and the DORA metrics.
 */
export function deliveryPart(options: {
  history: Pick<HistoryService, 'deployments' | 'incidents' | 'running'>;
  dora: Pick<DoraService, 'metrics'>;
  directory: Pick<ServiceDirectory, 'titleOf'>;
  /** IANA name of the time zone of days. */
  timeZone: string;
  /** Base URL of the portal. A deployment whose URL is a build page below it links to that build. */
  portal: string;
  now?: () => number;
}): EntityPart {
  const { history, dora, timeZone, now = Date.now } = options;
  const portal = options.portal.replace(/\/$/, '');
  const titleOf = (entityRef: string) => options.directory.titleOf(entityRef);
  const dayBefore = (days: number) =>
    DateTime.fromMillis(now(), { zone: timeZone })
      .minus({ days })
      .toFormat('yyyy-MM-dd');

  async function openIncidents(scope: LakeScope): Promise<IncidentDetails[]> {
    const { incidents } = await history.incidents({
      ...queryOf(scope),
      startDate: EVER,
      open: true,
      limit: MOST_NEEDS,
    });
    return incidents;
  }

  /** Finds the services whose last deployment to production failed. */
  async function failedDeployments(
    scope: LakeScope,
  ): Promise<DeploymentDetails[]> {
    const query = {
      ...queryOf(scope),
      startDate: dayBefore(WAITING_DAYS),
      environment: 'prod',
    };
    const failures = await newestOf({ ...query, status: 'FAILURE' });
    const newest = failures.size > 0 ? await newestOf(query) : failures;
    const found: DeploymentDetails[] = [];
    for (const service of failures.keys()) {
      const last =
        newest.get(service) ??
        // So many deployments of other services came after it that `newest` does not contain it.
        (await newestOf({ ...query, service })).get(service);
      if (last?.status === 'FAILURE' && found.push(last) === MOST_NEEDS) {
        break;
      }
    }
    return found;
  }

  /** Returns the last finished deployment of each service among the newest matches, by service name. */
  async function newestOf(
    query: Omit<DeploymentsQuery, 'limit'>,
  ): Promise<Map<string, DeploymentDetails>> {
    const { deployments } = await history.deployments({
      ...query,
      limit: MAX_PAGE,
    });
    const newest = new Map<string, DeploymentDetails>();
    for (const deployment of deployments) {
      const { service, status } = deployment;
      if (STATES[status].tone !== undefined && !newest.has(service)) {
        newest.set(service, deployment);
      }
    }
    return newest;
  }

  /** Returns the last successful deployment to each environment, production first. */
  async function running(scope: LakeScope): Promise<Fact[]> {
    const { deployments } = await history.running(queryOf(scope));
    const found = [...ENVIRONMENTS]
      .reverse()
      .flatMap(
        environment =>
          deployments.find(each => each.environment === environment) ?? [],
      );
    return found.map(deployment => ({
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
      }),
      openIncidents(scope),
      failedDeployments(scope),
      kind === 'component' ? running(scope) : [],
    ]);
    const needs = needsOf({ incidents, failed, scope, titleOf });
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
            titleOf,
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
      ...periodOf(from, to),
      limit: limit + 1,
    });
    return deployments.map(deployment =>
      itemOfDeployment(deployment, { scope, portal, titleOf }),
    );
  }

  async function incidentsIn(
    scope: LakeScope,
    { from, to, limit }: TimelineQuery,
  ): Promise<TimelineItem[]> {
    const { incidents } = await history.incidents({
      ...queryOf(scope),
      ...periodOf(from, to),
      limit: limit + 1,
    });
    return (
      incidents
        .map(incident => itemOfIncident(incident, { scope, titleOf }))
        // Drops incidents that began before `from` and were still open then, which the list
        // includes.
        .filter(({ at }) => Date.parse(at) >= from)
    );
  }
}

/** Returns a time span as query parameters. */
function periodOf(
  from: number,
  to: number,
): { startDate: string; endDate: string } {
  return { startDate: isoOf(from), endDate: isoOf(to) };
}
