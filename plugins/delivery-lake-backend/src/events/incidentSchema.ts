import { z } from 'zod';
import { name, sha, text, time, webAddress } from './fields';
import { DeploymentLink, IncidentEvent } from './LakeEvent';
import { TEXT_LIMITS } from './limits';

const LAKE_ID = /^deploy-[0-9a-f-]{36}$/;

const deploymentId = name(TEXT_LIMITS.externalId);

const linkSchema = z.union(
  [
    deploymentId.transform(id => ({ id })),
    z
      .object({
        source: name(TEXT_LIMITS.source).optional(),
        id: deploymentId.optional(),
        externalId: deploymentId.optional(),
        sha: sha.optional(),
      })
      .refine(({ id, externalId, sha: commit }) => id ?? externalId ?? commit),
  ],
  { error: 'must be the id of a deployment, or an object with id or sha' },
);

/** An item of `POST /incidents`. Unknown fields are ignored. */
export const incidentSchema = z.object({
  source: name(TEXT_LIMITS.source).optional(),
  id: name(TEXT_LIMITS.externalId),
  service: name(TEXT_LIMITS.service).optional(),
  environment: name(TEXT_LIMITS.environment).optional(),
  title: text(TEXT_LIMITS.title).optional(),
  severity: text(TEXT_LIMITS.severity).optional(),
  startedAt: time.optional(),
  // null: open again.
  resolvedAt: time.nullish(),
  deployment: linkSchema.nullish(),
  url: webAddress(TEXT_LIMITS.url).optional(),
  occurredAt: time.optional(),
  deleted: z.boolean().optional(),
});

/** An id of the lake's own says all; any other is that of a sender. */
function toLink(link: DeploymentLink, source: string): DeploymentLink {
  const { externalId = link.id } = link;
  if (externalId === undefined) {
    return { sha: link.sha };
  }
  return LAKE_ID.test(externalId)
    ? { id: externalId, sha: link.sha }
    : { source: link.source ?? source, externalId, sha: link.sha };
}

/** Makes an event of a parsed item. */
export function toIncidentEvent(
  item: z.output<typeof incidentSchema>,
  defaults: { source: string; now: number },
): IncidentEvent {
  const {
    id,
    source = defaults.source,
    occurredAt,
    deployment,
    ...fields
  } = item;
  return {
    ...fields,
    kind: 'incident',
    source,
    externalId: id,
    deployment: deployment && toLink(deployment, source),
    occurredAt:
      occurredAt ?? fields.resolvedAt ?? fields.startedAt ?? defaults.now,
  };
}
