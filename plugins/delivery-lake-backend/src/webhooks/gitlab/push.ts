import { z } from 'zod';
import { pushedChanges, pushedCommit } from '../forges/pushedChanges';
import { DeliveryMapper, ignoring } from '../MappedDelivery';
import { readPayload } from '../payload/readPayload';
import { project } from './schemas';

const schema = z.object({
  ref: z.string(),
  after: z.string(),
  project,
  // The newest twenty of the push, oldest first.
  commits: z.array(pushedCommit),
});

/**
 * https://docs.gitlab.com/user/project/integrations/webhook_events/#push-events
 *
 * Has no time of the push itself.
 */
export const mapPush: DeliveryMapper = ({ source, body }) => {
  const push = readPayload(schema, body);
  if (!push.project.default_branch) {
    return ignoring('The project has no default branch');
  }
  return pushedChanges({
    source,
    ref: push.ref,
    after: push.after,
    commits: push.commits,
    repository: push.project.path_with_namespace,
    defaultBranch: push.project.default_branch,
  });
};
