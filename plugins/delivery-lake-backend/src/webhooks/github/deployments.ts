import { DeploymentStatus } from '@slipway/plugin-delivery-lake-common';
import { z } from 'zod';
import { DeploymentEvent } from '../../events/LakeEvent';
import {
  DeliveryMapper,
  ignoring,
  key,
  accepting,
  optionalText,
  readPayload,
  timestamp,
} from '../payload';

const deployment = z.object({
  id: key,
  sha: z.string().min(1),
  ref: z.string(),
  environment: z.string(),
  production_environment: z.boolean().nullish(),
  // Arbitrary data from its creator: an object, or a text that may be JSON.
  payload: z.unknown().optional(),
  creator: z.object({ login: z.string() }).nullish(),
  created_at: timestamp,
});

const deployedRepository = z.object({ full_name: z.string().min(1) });

const deploymentSchema = z.object({
  deployment,
  repository: deployedRepository,
});

const statusSchema = z.object({
  deployment,
  repository: deployedRepository,
  deployment_status: z.object({
    state: z.string(),
    // updated_at also changes when a later deployment makes this one inactive.
    created_at: timestamp,
    log_url: optionalText,
    target_url: optionalText,
  }),
});

const STATUSES: ReadonlyMap<string, DeploymentStatus> = new Map([
  ['queued', 'PENDING'],
  ['pending', 'PENDING'],
  ['waiting', 'PENDING'],
  ['in_progress', 'IN_PROGRESS'],
  ['success', 'SUCCESS'],
  ['failure', 'FAILURE'],
  ['error', 'FAILURE'],
]);

const FINISHED: ReadonlySet<DeploymentStatus> = new Set(['SUCCESS', 'FAILURE']);

/** Optional fields that a pipeline may put into the payload of its deployment. */
const pipelineFields = z
  .object({
    service: optionalText.catch(undefined),
    component: optionalText.catch(undefined),
    version: optionalText.catch(undefined),
  })
  .partial();

function readPipelineFields(payload: unknown): z.output<typeof pipelineFields> {
  if (typeof payload !== 'string') {
    return pipelineFields.safeParse(payload).data ?? {};
  }
  try {
    return pipelineFields.safeParse(JSON.parse(payload)).data ?? {};
  } catch {
    return {};
  }
}

function common(
  payload: z.output<typeof deploymentSchema>,
  source: string,
): Omit<DeploymentEvent, 'occurredAt'> {
  const { deployment: made, repository: home } = payload;
  const fields = readPipelineFields(made.payload);
  return {
    kind: 'deployment',
    source,
    externalId: made.id,
    service: fields.service ?? fields.component ?? home.full_name,
    environment: made.production_environment ? 'prod' : made.environment,
    startedAt: made.created_at,
    version: fields.version ?? made.ref,
    triggeredBy: made.creator?.login,
    repository: home.full_name,
    commit: { sha: made.sha },
  };
}

/** Maps a deployment: https://docs.github.com/webhooks/webhook-events-and-payloads#deployment */
export const mapDeployment: DeliveryMapper = ({ source, body }) => {
  const payload = readPayload(deploymentSchema, body);
  return accepting({
    ...common(payload, source),
    occurredAt: payload.deployment.created_at,
    status: 'PENDING',
  });
};

/** Maps a status: https://docs.github.com/webhooks/webhook-events-and-payloads#deployment_status */
export const mapDeploymentStatus: DeliveryMapper = ({ source, body }) => {
  const payload = readPayload(statusSchema, body);
  const { state, created_at: at, ...urls } = payload.deployment_status;
  const status = STATUSES.get(state);
  if (!status) {
    return ignoring(
      `Deployment ${payload.deployment.id} became ${state}, which is not a result`,
    );
  }
  return accepting({
    ...common(payload, source),
    occurredAt: at,
    status,
    finishedAt: FINISHED.has(status) ? at : undefined,
    url: urls.log_url ?? urls.target_url,
  });
};
