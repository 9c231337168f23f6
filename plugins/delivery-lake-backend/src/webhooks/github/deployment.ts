import { DeploymentStatus } from '@slipway/plugin-delivery-lake-common';
import { z } from 'zod';
import { DeploymentEvent } from '../../events/LakeEvent';
import { DeliveryMapper, ignoring, meaning } from '../MappedDelivery';
import { readPayload } from '../payload/readPayload';
import { key, optionalText } from '../payload/text';
import { timestamp } from '../payload/timestamp';
import { user } from './schemas';

const deployment = z.object({
  id: key,
  sha: z.string().min(1),
  ref: z.string(),
  environment: z.string(),
  production_environment: z.boolean().nullish(),
  // Whatever the one who created it put there: an object, or text that may be JSON.
  payload: z.unknown().optional(),
  creator: user.nullish(),
  created_at: timestamp,
});

const repository = z.object({ full_name: z.string().min(1) });

const deploymentSchema = z.object({ deployment, repository });

const statusSchema = z.object({
  deployment,
  repository,
  deployment_status: z.object({
    state: z.string(),
    // updated_at moves on when a later deployment makes this one inactive.
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

/** What a pipeline may say about itself in the payload of its deployment. */
const ownWords = z
  .object({
    service: optionalText.catch(undefined),
    component: optionalText.catch(undefined),
    version: optionalText.catch(undefined),
  })
  .partial();

function readOwnWords(payload: unknown): z.output<typeof ownWords> {
  if (typeof payload !== 'string') {
    return ownWords.safeParse(payload).data ?? {};
  }
  try {
    return ownWords.safeParse(JSON.parse(payload)).data ?? {};
  } catch {
    return {};
  }
}

function common(
  payload: z.output<typeof deploymentSchema>,
  source: string,
): Omit<DeploymentEvent, 'occurredAt'> {
  const { deployment: made, repository: home } = payload;
  const words = readOwnWords(made.payload);
  return {
    kind: 'deployment',
    source,
    externalId: made.id,
    service: words.service ?? words.component ?? home.full_name,
    environment: made.production_environment ? 'prod' : made.environment,
    startedAt: made.created_at,
    version: words.version ?? made.ref,
    triggeredBy: made.creator?.login,
    repository: home.full_name,
    commit: { sha: made.sha },
  };
}

/** https://docs.github.com/webhooks/webhook-events-and-payloads#deployment */
export const mapDeployment: DeliveryMapper = ({ source, body }) => {
  const payload = readPayload(deploymentSchema, body);
  return meaning({
    ...common(payload, source),
    occurredAt: payload.deployment.created_at,
    status: 'PENDING',
  });
};

/** https://docs.github.com/webhooks/webhook-events-and-payloads#deployment_status */
export const mapDeploymentStatus: DeliveryMapper = ({ source, body }) => {
  const payload = readPayload(statusSchema, body);
  const { state, created_at: at, ...urls } = payload.deployment_status;
  const status = STATUSES.get(state);
  if (!status) {
    return ignoring(
      `Deployment ${payload.deployment.id} became ${state}, which says nothing of how it went`,
    );
  }
  return meaning({
    ...common(payload, source),
    occurredAt: at,
    status,
    finishedAt: FINISHED.has(status) ? at : undefined,
    url: urls.log_url ?? urls.target_url,
  });
};
