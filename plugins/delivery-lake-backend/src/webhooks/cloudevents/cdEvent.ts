import { z } from 'zod';
import { key, optionalText, timestamp } from '../payload';

const reference = z.object({ id: z.string().min(1) });

/** A text that CDEvents does not define; ignored if it has the wrong type. */
const ownText = optionalText.catch(undefined);

/**
 * Custom fields for what CDEvents lacks: a commit, a duration, and a link from an incident to its
 * deployment. Base64 data of other types is ignored.
 */
const ownWords = z
  .object({
    /** The sender's id of the deployment, if several events are about it. */
    deploymentId: key.optional().catch(undefined),
    service: ownText,
    environment: ownText,
    startedAt: timestamp.optional().catch(undefined),
    version: ownText,
    repository: ownText,
    sha: ownText,
    changes: z.array(z.string()).optional().catch(undefined),
    triggeredBy: ownText,
    rollbackOf: ownText,
    unplanned: z.boolean().optional().catch(undefined),
    url: ownText,
    /** The deployment that caused an incident, by id or by source and id. */
    deployment: z
      .union([
        key.transform(id => ({ id, source: undefined })),
        z.object({ id: key, source: z.string().optional() }),
      ])
      .optional()
      .catch(undefined),
    severity: ownText,
  })
  .partial();

type OwnWords = z.output<typeof ownWords>;

/** A link to another event, embedded in the context (since 0.4). */
const link = z.object({
  linkType: z.string(),
  target: z.object({ contextId: z.string() }).optional(),
  from: z.object({ contextId: z.string() }).optional(),
});

/**
 * Common fields of versions 0.3 to 0.6 of CDEvents; `context.version` became
 * `specversion`, and `subject.type` was removed.
 * https://github.com/cdevents/spec/blob/main/spec.md
 */
export const cdEventSchema = z.object({
  context: z.object({
    id: z.string().min(1),
    source: z.string().min(1),
    type: z.string().min(1),
    timestamp,
    links: z.array(link).optional().catch(undefined),
  }),
  subject: z.object({
    id: z.string().min(1),
    content: z.object({
      environment: reference.optional(),
      service: reference.optional(),
      artifactId: optionalText,
      description: optionalText,
      ticketURI: optionalText,
      uri: optionalText,
      url: optionalText,
      outcome: optionalText,
    }),
  }),
  customData: z
    .unknown()
    .optional()
    .transform((data): OwnWords => ownWords.safeParse(data).data ?? {}),
});

/** A CDEvent with the sender's custom fields. */
export type CdEvent = z.output<typeof cdEventSchema>;
