import type { Caller } from '@slipway/service-kit';
import type { ChangeRequest } from '../model/ChangeRequest.ts';
import type { ProjectOwners } from '../tokens/ProjectOwners.ts';
import { authorOf } from '../tokens/access.ts';
import type { ChangeRequests } from './ChangeRequests.ts';
import { mayApprove } from './transitions.ts';

const MAX_REQUESTS = 100;

/** Lists the change requests, newest first, that a caller may approve and has not approved yet. */
export async function requestsToReview(
  caller: Caller,
  options: {
    requests: Pick<ChangeRequests, 'list'>;
    owners: Pick<ProjectOwners, 'ownedBy'>;
    projectOf: (flag: string) => string | undefined;
  },
): Promise<ChangeRequest[]> {
  const { requests, owners, projectOf } = options;
  const author = authorOf(caller);
  const inReview = await requests.list({
    states: ['In review'],
    limit: MAX_REQUESTS,
  });
  const found = inReview.filter(request => mayApprove(request, author));
  if (found.length === 0) {
    return [];
  }
  const owned = await owners.ownedBy(caller);
  return found.filter(({ flag }) => owned.includes(projectOf(flag) ?? ''));
}
