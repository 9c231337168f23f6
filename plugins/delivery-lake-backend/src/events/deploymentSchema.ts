import { DEPLOYMENT_STATUSES } from '@slipway/plugin-delivery-lake-common';
import { z } from 'zod';
import { name, sha, text, time, webAddress } from './fields';
import { DeploymentEvent } from './LakeEvent';
import { MAX_LISTED_CHANGES, TEXT_LIMITS } from './limits';

/**
 * An item of `POST /deployments`. Unknown fields are ignored. What is left out is
 * not spoken of: start and finish may come as two items with one id.
 */
export const deploymentSchema = z
  .object({
    source: name(TEXT_LIMITS.source).optional(),
    id: name(TEXT_LIMITS.externalId),
    service: name(TEXT_LIMITS.service).optional(),
    environment: name(TEXT_LIMITS.environment).optional(),
    status: z
      .enum(DEPLOYMENT_STATUSES, {
        error: `must be one of ${DEPLOYMENT_STATUSES.join(', ')}`,
      })
      .optional(),
    startedAt: time.optional(),
    finishedAt: time.optional(),
    occurredAt: time.optional(),
    version: text(TEXT_LIMITS.version).optional(),
    triggeredBy: text(TEXT_LIMITS.triggeredBy).optional(),
    repository: name(TEXT_LIMITS.repository).optional(),
    commit: z
      .object({
        sha,
        message: text(TEXT_LIMITS.message).optional(),
        author: text(TEXT_LIMITS.author).optional(),
        committedAt: time.optional(),
      })
      .optional(),
    changes: z
      .array(sha)
      .max(MAX_LISTED_CHANGES, `must list at most ${MAX_LISTED_CHANGES}`)
      .optional(),
    rollbackOf: z
      .union([z.literal(true), name(TEXT_LIMITS.externalId)], {
        error: 'must be the id of a deployment, or true',
      })
      .optional(),
    unplanned: z.boolean().optional(),
    url: webAddress(TEXT_LIMITS.url).optional(),
    deleted: z.boolean().optional(),
  })
  .superRefine(({ service, deleted }, context) => {
    if (service === undefined && !deleted) {
      context.addIssue({
        code: 'invalid_type',
        expected: 'string',
        path: ['service'],
        input: undefined,
      });
    }
  });

/** Makes an event of a parsed item. A finish without a status is a success. */
export function toDeploymentEvent(
  item: z.output<typeof deploymentSchema>,
  defaults: { source: string; now: number },
): DeploymentEvent {
  const { id, source, occurredAt, status, ...fields } = item;
  return {
    ...fields,
    kind: 'deployment',
    source: source ?? defaults.source,
    externalId: id,
    status: status ?? (fields.finishedAt === undefined ? undefined : 'SUCCESS'),
    occurredAt:
      occurredAt ?? fields.finishedAt ?? fields.startedAt ?? defaults.now,
  };
}
