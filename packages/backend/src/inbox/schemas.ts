import { ITEM_KINDS, MAX_NEEDS, TONES } from '@slipway/entity-contract';
import { namespaceNameSchema } from '@slipway/portal-kit';
import { z } from 'zod';

/** The first steps with the platform that Home suggests. */
const STEP_IDS = [
  'connect',
  'workspace',
  'build',
  'deployment',
  'flag',
  'team',
] as const;

export type StepId = (typeof STEP_IDS)[number];

/** Keys of items contain names of branches and steps; the maximum is the length of the database column. */
const keySchema = z.string().min(1).max(500);

const labelSchema = z.string().max(200);

/** A path within the portal, never an address of another site. */
const pageSchema = z.string().regex(/^\/(?![/\\])/);

/** The part of a summary that inboxes use (`entity-contract`). */
export const summarySchema = z.object({
  needs: z
    .array(
      z.object({
        key: keySchema,
        kind: z.string().min(1).max(100),
        title: labelSchema.min(1),
        detail: labelSchema.optional(),
        at: z.iso.datetime({ offset: true }),
        tone: z.enum(['bad', 'warning']),
        page: pageSchema,
        action: labelSchema,
        notified: z.boolean().optional(),
        scope: z.string().min(1).max(255).optional(),
        // A longer reference names no entity, but must not cause the rejection of the item.
        entityRef: z.string().min(1).max(150).optional().catch(undefined),
      }),
    )
    .max(MAX_NEEDS.user),
  moreNeeds: z.boolean().optional(),
  truncated: z.boolean().optional(),
});

/** The part of a timeline that the activity on Home uses (`entity-contract`). */
export const timelineSchema = z.object({
  items: z.array(
    z.object({
      id: keySchema,
      kind: z.enum(ITEM_KINDS),
      at: z.iso.datetime({ offset: true }),
      title: labelSchema.min(1),
      state: labelSchema.optional(),
      tone: z.enum(TONES).optional(),
      by: z.string().max(250).optional(),
      page: pageSchema.optional(),
      entityRef: z.string().max(250).optional(),
    }),
  ),
});

/** The namespace in the path of a request. */
export const namespaceSchema = z.object({ namespace: namespaceNameSchema });

/** The key in the path of a request. */
export const itemSchema = z.object({
  // Not every database can store or compare U+0000.
  key: keySchema.refine(key => !key.includes('\0'), 'must not contain U+0000'),
});

/** The query that selects first steps, separated by commas. */
export const stepsSchema = z.object({
  steps: z
    .string()
    .transform(text => [...new Set(text.split(','))])
    .pipe(z.array(z.enum(STEP_IDS))),
});

/** The body that sets an item aside. */
export const asideSchema = z.discriminatedUnion(
  'state',
  [
    z.strictObject({ state: z.literal('done') }),
    z.strictObject({
      state: z.literal('snoozed'),
      until: z.iso
        .datetime({ offset: true, error: 'must be an ISO 8601 timestamp' })
        .transform(text => Date.parse(text)),
    }),
  ],
  { error: 'must be done or snoozed' },
);
