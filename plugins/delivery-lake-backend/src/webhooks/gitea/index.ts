import { mapPullRequest } from '../github/pullRequest';
import { mapRelease } from '../github/release';
import { DeliveryMapper, ignoring } from '../MappedDelivery';
import { mapIssues } from './issues';
import { mapPush } from './push';

/**
 * Reads deliveries of Gitea or Forgejo by the type in `X-Gitea-Event`. Neither
 * tells of deployments; their pull requests and releases have GitHub's fields.
 */
export function createGiteaMapper(forge: 'gitea' | 'forgejo'): DeliveryMapper {
  const mappers: Readonly<Record<string, DeliveryMapper>> = {
    push: mapPush,
    pull_request: mapPullRequest,
    release: delivery => mapRelease(forge, delivery),
    issues: delivery => mapIssues(forge, delivery),
  };
  return delivery =>
    Object.hasOwn(mappers, delivery.type)
      ? mappers[delivery.type](delivery)
      : ignoring(`The lake has no use for ${delivery.type} events of ${forge}`);
}
