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
import { doraFacts, needsOf, PERIOD_DAYS, stateOf } from './deliveryFacts';
import { itemOfDeployment, itemOfIncident, STATES } from './deliveryItems';
import {
  addressOf,
  type LakeScope,
  lakeScopeOf,
  pageOfDeployment,
  queryOf,
} from './LakeScope';

/** A start date earlier than any record. */
const EVER = '2000-01-01';
/** Failed deployments older than this many days no longer need attention. */
const WAITING_DAYS = 14;
/** Maximum number of deployments or incidents that a query returns. */
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

  /** Finds open incidents, newest first, and counts all of them. */
  async function openIncidents(
    scope: LakeScope,
  ): Promise<{ incidents: IncidentDetails[]; total: number }> {
    return history.incidents({
      ...queryOf(scope),
      startDate: EVER,
      open: true,
      limit: MAX_PAGE,
    });
  }

  /**
   * Finds the services whose last deployment to production failed, among those of the newest failures, and
   * whether there are more failures.
   */
  async function failedDeployments(
    scope: LakeScope,
  ): Promise<{ failed: DeploymentDetails[]; isCut: boolean }> {
    const query = {
      ...queryOf(scope),
      startDate: dayBefore(WAITING_DAYS),
      environment: 'prod',
    };
    const { found, isCut } = await newestOf({ ...query, status: 'FAILURE' });
    const last = await lastOf(query, [...found.values()]);
    return {
      failed: last.filter(({ status }) => status === 'FAILURE'),
      isCut,
    };
  }

  /** Returns the last finished deployment of each service that has one of the earlier deployments. */
  async function lastOf(
    query: Omit<DeploymentsQuery, 'limit'>,
    earlier: readonly DeploymentDetails[],
  ): Promise<DeploymentDetails[]> {
    const last = new Map<string, DeploymentDetails>();
    const isMissing = ({ service }: DeploymentDetails) => !last.has(service);
    for (let left = earlier; left.length > 0; left = left.filter(isMissing)) {
      const components = left.flatMap(({ entityRef }) => entityRef ?? []);
      const { found } = await newestOf({ ...query, components });
      for (const [service, deployment] of found) {
        last.set(service, last.get(service) ?? deployment);
      }
      // A page contains at least one of them, unless services of the same components fill it.
      if (left.every(isMissing)) {
        const [{ service }] = left;
        const own = await newestOf({ ...query, service });
        last.set(service, own.found.get(service) ?? left[0]);
      }
    }
    return earlier.flatMap(({ service }) => last.get(service) ?? []);
  }

  /**
   * Returns the last finished deployment of each service among the newest matches, by service name, and
   * whether there are more matches.
   */
  async function newestOf(
    query: Omit<DeploymentsQuery, 'limit'>,
  ): Promise<{ found: Map<string, DeploymentDetails>; isCut: boolean }> {
    const { deployments, nextCursor } = await history.deployments({
      ...query,
      limit: MAX_PAGE,
    });
    const found = new Map<string, DeploymentDetails>();
    for (const deployment of deployments) {
      const { service, status } = deployment;
      if (STATES[status].tone !== undefined && !found.has(service)) {
        found.set(service, deployment);
      }
    }
    return { found, isCut: nextCursor !== null };
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
    const [metrics, { incidents, total }, { failed }, runs] = await Promise.all(
      [
        dora.metrics({
          ...queryOf(scope),
          startDate: dayBefore(PERIOD_DAYS - 1),
        }),
        openIncidents(scope),
        failedDeployments(scope),
        kind === 'component' ? running(scope) : [],
      ],
    );
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
          value: total,
          page: `/delivery/incidents?${addressOf(scope)}&open=true`,
          tone: total > 0 ? 'bad' : 'good',
        },
        ...doraFacts(metrics),
      ],
      needs,
    };
  }

  return {
    async summary(scope): Promise<EntitySummary> {
      const own = lakeScopeOf(scope);
      if (scope.kind !== 'user') {
        return summaryOf(own, scope.kind);
      }
      const [{ incidents, total }, { failed, isCut }] = await Promise.all([
        openIncidents(own),
        failedDeployments(own),
      ]);
      const needs = needsOf({ incidents, failed, scope: own, titleOf });
      return {
        state: needs.length > 0 ? 'bad' : 'good',
        page: '/delivery',
        facts: [],
        needs,
        ...((isCut || total > incidents.length) && { moreNeeds: true }),
      };
    },

    async timeline(scope, query): Promise<TimelineItem[]> {
      const own = lakeScopeOf(scope);
      const found = await Promise.all([
        query.kinds.has('deployment') ? deploymentsIn(own, query) : [],
        query.kinds.has('incident') ? incidentsIn(own, query) : [],
      ]);
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
