import { z } from 'zod';
import { pushedChanges, pushedCommit } from '../forges/pushedChanges';
import { DeliveryMapper } from '../MappedDelivery';
import { readPayload } from '../payload/readPayload';
import { timestamp } from '../payload/timestamp';
import { repository } from './schemas';

const schema = z.object({
  ref: z.string(),
  after: z.string(),
  commits: z.array(pushedCommit),
  // Only in a push is it the time of this very push, in seconds.
  repository: repository.extend({ pushed_at: timestamp.nullish() }),
});

/** https://docs.github.com/webhooks/webhook-events-and-payloads#push */
export const mapPush: DeliveryMapper = ({ source, body }) => {
  const push = readPayload(schema, body);
  return pushedChanges({
    ...push,
    source,
    repository: push.repository.full_name,
    defaultBranch: push.repository.default_branch,
    pushedAt: push.repository.pushed_at ?? undefined,
  });
};
