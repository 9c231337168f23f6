import { useServiceQuery } from '@slipway/app-react';
import type {
  DeploymentDetails,
  IncidentDetails,
} from '@slipway/plugin-delivery-lake-common';
import { deliveryLakeApiRef } from './api/DeliveryLakeApi';
import { EVER } from './queries';

// Finds the events around a deployment or an incident: possible causes, and the version to roll back to.

/** How many previous deployments to search for a version that did not fail. */
const EARLIER = 20;
const DAY_MS = 86_400_000;

/**
 * Reads the version of the service that ran in the environment before a deployment; null if
 * unknown. Disabled without a deployment.
 */
export function useVersionBefore(deployment: DeploymentDetails | undefined) {
  return useServiceQuery(
    deliveryLakeApiRef,
    ['version-before', deployment?.id],
    async (api, call) => {
      const { service, entityRef, environment, startTime } = deployment!;
      const { deployments } = await api.listDeployments(
        {
          service: entityRef ?? service,
          environment,
          status: 'SUCCESS',
          ...EVER,
          // The end is exclusive, and a deployment may begin as the one before it finishes.
          endDate: new Date(Date.parse(startTime) + 1).toISOString(),
          limit: EARLIER,
        },
        call,
      );
      const before = deployments.find(
        each => each.startTime < startTime && !each.failed,
      );
      return before ?? null;
    },
    { enabled: deployment !== undefined },
  );
}

/** The number of deployments on either side of the start of an incident. */
const AROUND = 5;
/** Days before an incident in which a deployment may have caused it. */
const SUSPECT_DAYS = 7;

/**
 * The deployments of an incident's service to its environment around the incident, newest first.
 */
export interface DeploymentsAround {
  /** The deployments of the week before the incident. */
  before: DeploymentDetails[];
  /** The deployments from its start until its resolution, or until now if it is open. */
  during: DeploymentDetails[];
}

/** Reads the deployments around an incident; there are none if it has no service. */
export function useDeploymentsAround(incident: IncidentDetails) {
  const { id, service, entityRef, environment } = incident;
  const { startedAt, resolvedAt } = incident;
  return useServiceQuery(
    deliveryLakeApiRef,
    ['deployments-around', id, startedAt, resolvedAt],
    async (api, call): Promise<DeploymentsAround> => {
      const name = entityRef ?? service;
      if (name === null) {
        return { before: [], during: [] };
      }
      const start = Date.parse(startedAt);
      const list = async (from: number, to: number) => {
        const { deployments } = await api.listDeployments(
          {
            service: name,
            environment,
            startDate: new Date(from).toISOString(),
            endDate: new Date(to).toISOString(),
            limit: AROUND,
          },
          call,
        );
        return deployments;
      };
      const end = resolvedAt === null ? Date.now() : Date.parse(resolvedAt);
      const [before, during] = await Promise.all([
        list(start - SUSPECT_DAYS * DAY_MS, start),
        // The end is exclusive: a deployment may resolve the incident as it finishes.
        list(start, Math.max(start, end) + 1),
      ]);
      return { before, during };
    },
  );
}

/**
 * Reads the incidents without a known cause that began in the week after a deployment, newest
 * first. The panels of these incidents list the deployment as a possible cause.
 *
 * @param deployment - a deployment to which no incident is attributed; disabled if undefined.
 */
export function useIncidentsAfter(deployment: DeploymentDetails | undefined) {
  return useServiceQuery(
    deliveryLakeApiRef,
    ['incidents-after', deployment?.id],
    async (api, call): Promise<IncidentDetails[]> => {
      const { service, entityRef, environment } = deployment!;
      const end = Date.parse(deployment!.endTime ?? deployment!.startTime);
      const { incidents } = await api.listIncidents(
        {
          service: entityRef ?? service,
          environment,
          startDate: new Date(end).toISOString(),
          // The end is exclusive, unlike the time of a deployment before an incident.
          endDate: new Date(end + SUSPECT_DAYS * DAY_MS + 1).toISOString(),
        },
        call,
      );
      // The response includes incidents that began before the period and were open during it.
      return incidents.filter(
        ({ startedAt, deployment: cause }) =>
          Date.parse(startedAt) > end && cause === null,
      );
    },
    { enabled: deployment !== undefined },
  );
}
