import { ignoring, MappedDelivery, meaning } from '../MappedDelivery';
import { shortened } from '../payload/text';

/**
 * The change that a merged pull or merge request left on the branch that is
 * deployed. When it was committed the forges do not say here: the push does.
 */
export function mergedChange(merge: {
  source: string;
  repository: string;
  /** `pull request 12`, for the reason when it brings nothing. */
  name: string;
  targetBranch: string;
  defaultBranch: string;
  sha: string | undefined;
  mergedAt: number;
  title: string;
  author?: string;
  url?: string;
}): MappedDelivery {
  const { source, repository, sha, mergedAt } = merge;
  if (merge.targetBranch !== merge.defaultBranch) {
    return ignoring(
      `${merge.name} was merged into ${merge.targetBranch}; ${repository} is deployed from ${merge.defaultBranch}`,
    );
  }
  if (!sha) {
    return ignoring(`${merge.name} was merged without naming its commit`);
  }
  return meaning({
    kind: 'change',
    source,
    externalId: sha,
    occurredAt: mergedAt,
    repository,
    sha,
    message: shortened(merge.title),
    author: merge.author,
    landedAt: mergedAt,
    url: merge.url,
  });
}
