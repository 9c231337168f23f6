import { DeploymentStatus } from '@slipway/plugin-delivery-lake-common';
import { z } from 'zod';
import { DeliveryLakeConfig } from '../../config';
import {
  DeliveryMapper,
  ignoring,
  key,
  accepting,
  optionalText,
  readPayload,
  timestamp,
} from '../payload';

const deploymentSchema = z.object({
  status: z.string(),
  status_changed_at: timestamp,
  deployment_id: key,
  deployable_url: z.string().nullish(),
  environment: z.string(),
  environment_tier: z.string().nullish(),
  project: z.object({ path_with_namespace: z.string().min(1) }),
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

/**
 * Returns the environment: production if GitLab's tier says so, otherwise the name if the lake
 * knows it, otherwise the tier.
 */
function environment(
  {
    environment: name,
    environment_tier: tier,
  }: z.output<typeof deploymentSchema>,
  config: DeliveryLakeConfig,
): string {
  if (tier === 'production') {
    return 'prod';
  }
  const known = config.environments.has(name.toLocaleLowerCase('en-US'));
  return known ? name : (TIERS.get(tier ?? '') ?? name);
}

/** Reads the full SHA from the end of the commit's URL; `short_sha` is abbreviated. */
function shaOf({
  commit_url: url,
  short_sha: short,
}: z.output<typeof deploymentSchema>): string | undefined {
  return /\/commit\/([0-9a-f]{40,64})(?:$|[?#])/.exec(url ?? '')?.[1] ?? short;
}

/**
 * Maps one status of a deployment.
 * https://docs.gitlab.com/user/project/integrations/webhook_events/#deployment-events
 */
export const mapDeployment: DeliveryMapper = ({ source, body, config }) => {
  const payload = readPayload(deploymentSchema, body);
  const status = STATUSES.get(payload.status);
  if (!status) {
    return ignoring(
      `Deployment ${payload.deployment_id} became ${payload.status}, which is not a result`,
    );
  }
  const at = payload.status_changed_at;
  const unfinished = status === 'PENDING' || status === 'IN_PROGRESS';
  const sha = shaOf(payload);
  const repository = payload.project.path_with_namespace;
  return accepting({
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
