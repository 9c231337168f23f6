import { DeliveryMapper, ignoring } from '../MappedDelivery';
import { mapDeployment, mapDeploymentStatus } from './deployment';
import { mapIssues } from './issues';
import { mapPullRequest } from './pullRequest';
import { mapPush } from './push';
import { mapRelease } from './release';

const MAPPERS: Readonly<Record<string, DeliveryMapper>> = {
  push: mapPush,
  pull_request: mapPullRequest,
  deployment: mapDeployment,
  deployment_status: mapDeploymentStatus,
  release: delivery => mapRelease('github', delivery),
  issues: mapIssues,
  ping: () => ignoring('GitHub asks whether somebody is there'),
};

/** Reads a delivery of GitHub by the type in `X-GitHub-Event`. */
export const mapGithub: DeliveryMapper = delivery =>
  Object.hasOwn(MAPPERS, delivery.type)
    ? MAPPERS[delivery.type](delivery)
    : ignoring(`The lake has no use for ${delivery.type} events of GitHub`);
