import { z } from 'zod';
import { mergedChange } from '../forges/mergedChange';
import { DeliveryMapper, ignoring } from '../MappedDelivery';
import { readPayload } from '../payload/readPayload';
import { timestamp } from '../payload/timestamp';
import { repository, user } from './schemas';

/** GitHub's pull request; Gitea's and Forgejo's has the same fields. */
const schema = z.object({
  action: z.string(),
  repository,
  pull_request: z.object({
    number: z.number(),
    title: z.string(),
    html_url: z.string().optional(),
    merged: z.boolean().nullish(),
    merged_at: timestamp.nullish(),
    merge_commit_sha: z.string().nullish(),
    user: user.nullish(),
    base: z.object({ ref: z.string() }),
  }),
});

/** https://docs.github.com/webhooks/webhook-events-and-payloads#pull_request */
export const mapPullRequest: DeliveryMapper = ({ source, body }) => {
  const payload = readPayload(schema, body);
  const pull = payload.pull_request;
  const name = `Pull request ${pull.number}`;
  if (payload.action !== 'closed') {
    return ignoring(`${name} was ${payload.action}, not merged`);
  }
  if (!pull.merged || typeof pull.merged_at !== 'number') {
    return ignoring(`${name} was closed without being merged`);
  }
  return mergedChange({
    source,
    name,
    repository: payload.repository.full_name,
    defaultBranch: payload.repository.default_branch,
    targetBranch: pull.base.ref,
    sha: pull.merge_commit_sha ?? undefined,
    mergedAt: pull.merged_at,
    title: pull.title,
    author: pull.user?.login,
    url: pull.html_url,
  });
};
