import {
  type DeploymentDetails,
  type IncidentDetails,
} from '@slipway/plugin-delivery-lake-common';
import {
  labelOf,
  type TimelineItem,
  type Tone,
} from '@slipway/entity-contract';
import { type LakeScope, pageOfDeployment, pageOfIncident } from './LakeScope';

/** The words and the tone for each status of a deployment. */
export const STATES: Readonly<
  Record<DeploymentDetails['status'], { state: string; tone?: Tone }>
> = {
  PENDING: { state: 'Pending' },
  IN_PROGRESS: { state: 'In progress' },
  SUCCESS: { state: 'Succeeded', tone: 'good' },
  FAILURE: { state: 'Failed', tone: 'bad' },
  CANCELLED: { state: 'Cancelled' },
  ROLLED_BACK: { state: 'Rolled back', tone: 'warning' },
};

/** Returns the title of an entity, or its name if it has none. */
export type TitleOf = (entityRef: string) => string;

/** Returns the title of a service's component, or the service's reported name if it has none. */
export function serviceTitle<S extends string | null>(
  { service, entityRef }: { service: S; entityRef: string | null },
  titleOf: TitleOf,
): S | string {
  return entityRef === null ? service : titleOf(entityRef);
}

/** Presents a deployment on a timeline, with its build and its incidents as neighbours. */
export function itemOfDeployment(
  deployment: DeploymentDetails,
  context: { scope: LakeScope; portal: string; titleOf: TitleOf },
): TimelineItem {
  const { scope, portal, titleOf } = context;
  const { id, service, version, environment, status } = deployment;
  const { state, tone } = STATES[status];
  const isBad = deployment.failed && tone === 'good';
  return {
    id: `deployment:${id}`,
    kind: 'deployment',
    at: deployment.endTime ?? deployment.startTime,
    title: labelOf(
      `${serviceTitle(deployment, titleOf)} ${version} to ${environment}`,
    ),
    state: isBad ? 'Caused a failure' : state,
    ...(isBad ? { tone: 'bad' as const } : tone && { tone }),
    by: deployment.triggeredBy,
    page: pageOfDeployment(deployment, scope),
    ...(deployment.commit.sha && { commit: deployment.commit.sha }),
    series: `${service} ${environment}`,
    ...(deployment.entityRef !== null && { entityRef: deployment.entityRef }),
    neighbours: [
      ...buildOf(deployment.url, portal),
      ...deployment.incidents.slice(0, 9).map(incident => ({
        kind: 'incident' as const,
        title: labelOf(incident.title),
        page: pageOfIncident(
          { id: incident.id, entityRef: deployment.entityRef },
          scope,
        ),
      })),
    ],
  };
}

/**
 * Returns the build that created a deployment, if the deployment's URL is that of a build's page.
 */
function buildOf(
  url: string | null,
  portal: string,
): TimelineItem['neighbours'] {
  const build = url?.startsWith(`${portal}/`)
    ? /^\/builds\/([^/]+)\/(\d+)$/.exec(url.slice(portal.length))
    : null;
  return build
    ? [
        {
          kind: 'build',
          title: labelOf(`${decoded(build[1])} #${build[2]}`),
          page: build[0],
        },
      ]
    : [];
}

/** Decodes a segment of a URL, which a sender may have encoded in any way. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Presents an incident on a timeline, with the deployment that caused it. */
export function itemOfIncident(
  incident: IncidentDetails,
  { scope, titleOf }: { scope: LakeScope; titleOf: TitleOf },
): TimelineItem {
  const { id, title, entityRef, startedAt, resolvedAt, deployment } = incident;
  return {
    id: `incident:${id}`,
    kind: 'incident',
    at: startedAt,
    title: labelOf(title),
    state: resolvedAt === null ? 'Open' : 'Resolved',
    tone: resolvedAt === null ? 'bad' : 'good',
    page: pageOfIncident(incident, scope),
    ...(entityRef !== null && { entityRef }),
    neighbours: deployment
      ? [
          {
            kind: 'deployment',
            title: labelOf(
              [serviceTitle(incident, titleOf), deployment.version]
                .filter(Boolean)
                .join(' '),
            ),
            page: pageOfDeployment({ id: deployment.id, entityRef }, scope),
          },
        ]
      : [],
  };
}
