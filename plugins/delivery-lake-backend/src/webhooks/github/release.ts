import { Forge } from '@slipway/forge-webhooks';
import { z } from 'zod';
import { releaseDeployment, shaIn } from '../forges/releaseDeployment';
import { DeliveryContext, ignoring, MappedDelivery } from '../MappedDelivery';
import { readPayload } from '../payload/readPayload';
import { key } from '../payload/text';
import { timestamp } from '../payload/timestamp';
import { user } from './schemas';

/** GitHub's release; Gitea's and Forgejo's has the same fields. */
const schema = z.object({
  action: z.string(),
  repository: z.object({ full_name: z.string().min(1) }),
  release: z.object({
    id: key,
    tag_name: z.string(),
    // A branch, unless the release was made of one commit.
    target_commitish: z.string().nullish(),
    draft: z.boolean(),
    prerelease: z.boolean(),
    published_at: timestamp.nullish(),
    html_url: z.string().optional(),
    author: user.nullish(),
  }),
});

/** https://docs.github.com/webhooks/webhook-events-and-payloads#release */
export function mapRelease(
  forge: Forge,
  { body, config }: DeliveryContext,
): MappedDelivery {
  const { action, release, repository } = readPayload(schema, body);
  if (action !== 'published') {
    return ignoring(`Release ${release.tag_name} was ${action}, not published`);
  }
  if (release.draft || release.prerelease) {
    return ignoring(
      `Release ${release.tag_name} is a ${
        release.draft ? 'draft' : 'pre-release'
      }`,
    );
  }
  if (typeof release.published_at !== 'number') {
    return ignoring(`Release ${release.tag_name} has no time of publication`);
  }
  const sha = shaIn(release.target_commitish);
  return releaseDeployment({
    source: forge,
    forge: config.webhooks[forge],
    repository: repository.full_name,
    id: release.id,
    tag: release.tag_name,
    publishedAt: release.published_at,
    triggeredBy: release.author?.login,
    commit: sha ? { sha } : undefined,
    url: release.html_url,
  });
}
