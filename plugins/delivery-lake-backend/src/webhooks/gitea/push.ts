import { z } from 'zod';
import { pushedChanges, pushedCommit } from '../forges/pushedChanges';
import { DeliveryMapper } from '../MappedDelivery';
import { readPayload } from '../payload/readPayload';

const schema = z.object({
  ref: z.string(),
  after: z.string(),
  commits: z.array(pushedCommit).nullable(),
  repository: z.object({
    full_name: z.string().min(1),
    default_branch: z.string().min(1),
  }),
});

/** A push to Gitea or Forgejo, whose payload has no time of the push itself. */
export const mapPush: DeliveryMapper = ({ source, body }) => {
  const push = readPayload(schema, body);
  return pushedChanges({
    source,
    ref: push.ref,
    after: push.after,
    commits: push.commits ?? [],
    repository: push.repository.full_name,
    defaultBranch: push.repository.default_branch,
  });
};
