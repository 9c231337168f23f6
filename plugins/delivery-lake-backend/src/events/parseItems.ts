import { InputError } from '@backstage/errors';
import { DEPLOYMENT_STATUSES } from '@slipway/plugin-delivery-lake-common';
import { describeIssue, issuePath } from '@slipway/portal-kit';
import { z } from 'zod';
import {
  addressField,
  keeps,
  nameField,
  rules,
  shaField,
  textField,
  timeField,
} from './checkEvent';
import {
  ChangeEvent,
  DeploymentEvent,
  DeploymentLink,
  IncidentEvent,
  LakeEvent,
  linkById,
  MAX_BATCH,
  RecordKind,
  TEXT_LIMITS,
  IngestItem,
} from './LakeEvent';

/**
 * An item of `POST /deployments`. Unknown fields are ignored. Missing fields leave the
 * record unchanged: start and finish may arrive as two items with one id.
 */
const deploymentSchema = z
  .object({
    source: nameField(TEXT_LIMITS.source).optional(),
    id: nameField(TEXT_LIMITS.externalId),
    service: nameField(TEXT_LIMITS.service).optional(),
    environment: nameField(TEXT_LIMITS.environment).optional(),
    status: z
      .enum(DEPLOYMENT_STATUSES, {
        error: `must be one of ${DEPLOYMENT_STATUSES.join(', ')}`,
      })
      .optional(),
    startedAt: timeField.optional(),
    finishedAt: timeField.optional(),
    occurredAt: timeField.optional(),
    version: textField(TEXT_LIMITS.version).optional(),
    triggeredBy: textField(TEXT_LIMITS.triggeredBy).optional(),
    repository: nameField(TEXT_LIMITS.repository).optional(),
    commit: z
      .object({
        sha: shaField,
        message: textField(TEXT_LIMITS.message).optional(),
        author: textField(TEXT_LIMITS.author).optional(),
        committedAt: timeField.optional(),
      })
      .optional(),
    changes: z.array(shaField).superRefine(keeps(rules.changes)).optional(),
    rollbackOf: z
      .union([z.literal(true), nameField(TEXT_LIMITS.externalId)], {
        error: 'must be the id of a deployment, or true',
      })
      .optional(),
    unplanned: z.boolean().optional(),
    url: addressField(TEXT_LIMITS.url).optional(),
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

/** Converts a parsed item to an event. A finish without a status is a success. */
function toDeploymentEvent(
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

/** An item of `POST /changes`. Unknown fields are ignored. */
const changeSchema = z.object({
  source: nameField(TEXT_LIMITS.source).optional(),
  repository: nameField(TEXT_LIMITS.repository),
  sha: shaField,
  message: textField(TEXT_LIMITS.message).optional(),
  author: textField(TEXT_LIMITS.author).optional(),
  committedAt: timeField.optional(),
  landedAt: timeField.optional(),
  sequence: z.number().superRefine(keeps(rules.sequence)).optional(),
  url: addressField(TEXT_LIMITS.url).optional(),
  occurredAt: timeField.optional(),
  deleted: z.boolean().optional(),
});

/** Converts a parsed item to an event. */
function toChangeEvent(
  item: z.output<typeof changeSchema>,
  defaults: { source: string; now: number },
): ChangeEvent {
  const { source, occurredAt, ...fields } = item;
  return {
    ...fields,
    kind: 'change',
    source: source ?? defaults.source,
    externalId: fields.sha,
    occurredAt:
      occurredAt ?? fields.landedAt ?? fields.committedAt ?? defaults.now,
  };
}

const deploymentId = nameField(TEXT_LIMITS.externalId);

const linkSchema = z.union(
  [
    deploymentId.transform(id => ({ id })),
    z
      .object({
        source: nameField(TEXT_LIMITS.source).optional(),
        id: deploymentId.optional(),
        externalId: deploymentId.optional(),
        sha: shaField.optional(),
      })
      .refine(({ id, externalId, sha: commit }) => id ?? externalId ?? commit),
  ],
  { error: 'must be the id of a deployment, or an object with id or sha' },
);

/** An item of `POST /incidents`. Unknown fields are ignored. */
const incidentSchema = z.object({
  source: nameField(TEXT_LIMITS.source).optional(),
  id: nameField(TEXT_LIMITS.externalId),
  service: nameField(TEXT_LIMITS.service).optional(),
  environment: nameField(TEXT_LIMITS.environment).optional(),
  title: textField(TEXT_LIMITS.title).optional(),
  severity: textField(TEXT_LIMITS.severity).optional(),
  startedAt: timeField.optional(),
  // null: open again.
  resolvedAt: timeField.nullish(),
  deployment: linkSchema.nullish(),
  url: addressField(TEXT_LIMITS.url).optional(),
  occurredAt: timeField.optional(),
  deleted: z.boolean().optional(),
});

/** Resolves a link. An id of the lake is sufficient; any other id is one of the sender's. */
function toLink(link: DeploymentLink, source: string): DeploymentLink {
  const { externalId = link.id } = link;
  if (externalId === undefined) {
    return { sha: link.sha };
  }
  return { ...linkById(externalId, link.source ?? source), sha: link.sha };
}

/** Converts a parsed item to an event. */
function toIncidentEvent(
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

/** Defaults for fields that an item leaves out. */
interface ItemDefaults {
  /** Default of `source`. */
  source: string;
  /** Milliseconds since the Unix epoch; default of `occurredAt` if the item has no other time. */
  now: number;
}

function reader<T extends z.ZodType>(
  schema: T,
  toEvent: (item: z.output<T>, defaults: ItemDefaults) => LakeEvent,
): (value: unknown, defaults: ItemDefaults) => IngestItem {
  return (value, defaults) => {
    const result = schema.safeParse(value);
    if (result.success) {
      return { event: toEvent(result.data, defaults) };
    }
    const [issue] = result.error.issues;
    return {
      error: describeIssue(issue, value),
      field: issuePath(issue) || undefined,
    };
  };
}

const readers: Record<RecordKind, ReturnType<typeof reader>> = {
  deployment: reader(deploymentSchema, toDeploymentEvent),
  change: reader(changeSchema, toChangeEvent),
  incident: reader(incidentSchema, toIncidentEvent),
};

/**
 * Reads one item of the lake's JSON format, from a request or a line of an imported file.
 */
export function parseItem(
  kind: RecordKind,
  value: unknown,
  defaults: ItemDefaults,
): IngestItem {
  return readers[kind](value, defaults);
}

/**
 * Reads the body of an ingest route: one item or an array, each validated separately.
 *
 * @throws InputError for any other body, an empty batch or one that is too large.
 */
export function parseItems(
  kind: RecordKind,
  body: unknown,
  defaults: ItemDefaults,
): IngestItem[] {
  const items: unknown = Array.isArray(body) ? body : [body];
  if (!Array.isArray(items) || items.length === 0) {
    throw new InputError(`The batch is empty; send 1 to ${MAX_BATCH} items`);
  }
  if (items.length > MAX_BATCH) {
    throw new InputError(
      `The batch has ${items.length} items; send at most ${MAX_BATCH} at once`,
    );
  }
  return items.map(item => parseItem(kind, item, defaults));
}
