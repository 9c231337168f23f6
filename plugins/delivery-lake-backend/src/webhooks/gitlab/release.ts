import { z } from 'zod';
import { releaseDeployment } from '../forges/releaseDeployment';
import { DeliveryMapper, ignoring } from '../MappedDelivery';
import { readPayload } from '../payload/readPayload';
import { key } from '../payload/text';
import { timestamp } from '../payload/timestamp';
import { project } from './schemas';

const schema = z.object({
  id: key,
  action: z.string(),
  tag: z.string(),
  released_at: timestamp,
  url: z.string().nullish(),
  project,
  commit: z
    .object({
      id: z.string().min(1),
      message: z.string().optional(),
      timestamp: timestamp.optional(),
      author: z.object({ name: z.string() }).nullish(),
    })
    .nullish(),
});

/** https://docs.gitlab.com/user/project/integrations/webhook_events/#release-events */
export const mapRelease: DeliveryMapper = ({ body, config }) => {
  const release = readPayload(schema, body);
  if (release.action !== 'create') {
    return ignoring(
      `Release ${release.tag}: ${release.action}, not its publication`,
    );
  }
  const { commit } = release;
  return releaseDeployment({
    source: 'gitlab',
    forge: config.webhooks.gitlab,
    repository: release.project.path_with_namespace,
    id: release.id,
    tag: release.tag,
    publishedAt: release.released_at,
    commit: commit
      ? {
          sha: commit.id,
          message: commit.message,
          author: commit.author?.name,
          committedAt: commit.timestamp,
        }
      : undefined,
    url: release.url ?? undefined,
  });
};
