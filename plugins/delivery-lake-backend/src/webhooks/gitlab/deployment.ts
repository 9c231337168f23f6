import { DeploymentStatus } from '@slipway/plugin-delivery-lake-common';
import { z } from 'zod';
import { DeliveryLakeConfig } from '../../config';
import { DeliveryMapper, ignoring, meaning } from '../MappedDelivery';
import { readPayload } from '../payload/readPayload';
import { key, optionalText } from '../payload/text';
import { timestamp } from '../payload/timestamp';
import { project } from './schemas';

const schema = z.object({
  status: z.string(),
  status_changed_at: timestamp,
  deployment_id: key,
  deployable_url: z.string().nullish(),
  environment: z.string(),
  environment_tier: z.string().nullish(),
  project,
  short_sha: optionalText,
  commit_url: z.string().nullish(),
  commit_title: optionalText,
  ref: optionalText,
  user: z.object({ username: z.string() }).nullish(),
});

const STATUSES: ReadonlyMap<string, DeploymentStatus> = new Map([
  ['created', 'PENDING'],
  ['blocked', 'PENDING'],
  ['running', 'IN_PROGRESS'],
  ['success', 'SUCCESS'],
  ['failed', 'FAILURE'],
  ['canceled', 'CANCELLED'],
  ['skipped', 'CANCELLED'],
]);

const TIERS: ReadonlyMap<string, 'dev' | 'staging' | 'prod'> = new Map([
  ['production', 'prod'],
  ['staging', 'staging'],
  ['testing', 'staging'],
  ['development', 'dev'],
]);

/** GitLab's tier decides what is production; else the name where the lake knows it, else the tier. */
function environment(
  { environment: name, environment_tier: tier }: z.output<typeof schema>,
  config: DeliveryLakeConfig,
): string {
  if (tier === 'production') {
    return 'prod';
  }
  const known = config.environments.has(name.toLocaleLowerCase('en-US'));
  return known ? name : TIERS.get(tier ?? '') ?? name;
}

/** The whole SHA stands at the end of the commit's address; beside it only a short one is given. */
function shaOf({
  commit_url: url,
  short_sha: short,
}: z.output<typeof schema>): string | undefined {
  return /\/commit\/([0-9a-f]{40,64})(?:$|[?#])/.exec(url ?? '')?.[1] ?? short;
}

/** https://docs.gitlab.com/user/project/integrations/webhook_events/#deployment-events */
export const mapDeployment: DeliveryMapper = ({ source, body, config }) => {
  const payload = readPayload(schema, body);
  const status = STATUSES.get(payload.status);
  if (!status) {
    return ignoring(
      `Deployment ${payload.deployment_id} became ${payload.status}, which says nothing of how it went`,
    );
  }
  const at = payload.status_changed_at;
  const unfinished = status === 'PENDING' || status === 'IN_PROGRESS';
  const sha = shaOf(payload);
  const repository = payload.project.path_with_namespace;
  return meaning({
    kind: 'deployment',
    source,
    externalId: payload.deployment_id,
    occurredAt: at,
    service: repository,
    environment: environment(payload, config),
    status,
    startedAt: unfinished ? at : undefined,
    finishedAt: unfinished ? undefined : at,
    version: payload.ref,
    triggeredBy: payload.user?.username,
    repository,
    commit: sha ? { sha, message: payload.commit_title } : undefined,
    url: payload.deployable_url ?? undefined,
  });
};
