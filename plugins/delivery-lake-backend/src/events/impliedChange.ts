import { ownRepository } from './foldDeployment';
import { ChangeEvent, DeploymentEvent } from './LakeEvent';

/**
 * The change that a deployment tells of by giving its commit's time.
 *
 * @returns undefined where it gives none, or not whose the commit is.
 */
export function impliedChange(event: DeploymentEvent): ChangeEvent | undefined {
  const { commit, service } = event;
  const repository =
    event.repository ??
    (service === undefined ? undefined : ownRepository(service));
  if (event.deleted || commit?.committedAt === undefined || !repository) {
    return undefined;
  }
  return {
    kind: 'change',
    source: event.source,
    externalId: commit.sha,
    occurredAt: event.occurredAt,
    repository,
    sha: commit.sha,
    message: commit.message,
    author: commit.author,
    committedAt: commit.committedAt,
  };
}
