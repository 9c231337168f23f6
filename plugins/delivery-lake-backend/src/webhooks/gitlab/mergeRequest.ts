import { z } from 'zod';
import { mergedChange } from '../forges/mergedChange';
import { DeliveryMapper, ignoring } from '../MappedDelivery';
import { readPayload } from '../payload/readPayload';
import { timestamp } from '../payload/timestamp';
import { project } from './schemas';

const schema = z.object({
  project,
  user: z.object({ name: z.string() }).nullish(),
  object_attributes: z.object({
    iid: z.number(),
    title: z.string(),
    action: z.string().nullish(),
    target_branch: z.string(),
    merge_commit_sha: z.string().nullish(),
    squash_commit_sha: z.string().nullish(),
    last_commit: z.object({ id: z.string() }).nullish(),
    merged_at: timestamp.nullish(),
    updated_at: timestamp,
    url: z.string().optional(),
  }),
});

/** https://docs.gitlab.com/user/project/integrations/webhook_events/#merge-request-events */
export const mapMergeRequest: DeliveryMapper = ({ source, body }) => {
  const payload = readPayload(schema, body);
  const merge = payload.object_attributes;
  const name = `Merge request ${merge.iid}`;
  if (merge.action !== 'merge') {
    return ignoring(`${name}: ${merge.action ?? 'no action'}, not a merge`);
  }
  return mergedChange({
    source,
    name,
    repository: payload.project.path_with_namespace,
    defaultBranch: payload.project.default_branch ?? '',
    targetBranch: merge.target_branch,
    // A fast-forward merge makes no commit: the last one of the request landed.
    sha:
      merge.merge_commit_sha ??
      merge.squash_commit_sha ??
      merge.last_commit?.id,
    mergedAt: merge.merged_at ?? merge.updated_at,
    title: merge.title,
    author: payload.user?.name,
    url: merge.url,
  });
};
