import { type Static, Type } from 'typebox';

/** The type of a fact's value, which determines how it is formatted. */
const FACT_KINDS = [
  'count',
  'percent',
  'duration',
  'instant',
  'text',
  'person',
] as const;

/** Ratings of a value; a change from the previous period is better, worse or the same. */
export const TONES = [
  'good',
  'warning',
  'bad',
  'better',
  'worse',
  'same',
] as const;
export type Tone = (typeof TONES)[number];

/**
 * The state of an entity in one part of the platform; `unconnected` if the part gets no data about
 * it.
 */
const SUMMARY_STATES = [
  'good',
  'warning',
  'bad',
  'quiet',
  'unconnected',
] as const;

/** The kinds of timeline items. */
export const ITEM_KINDS = [
  'commit',
  'build',
  'deployment',
  'flag',
  'incident',
  'feedback',
  'workspace',
] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

function oneOf<T extends string>(values: readonly T[]) {
  return Type.Unsafe<T>({ type: 'string', enum: [...values] });
}

const Instant = Type.String({ format: 'date-time' });
const PagePath = Type.String({
  description: "A path of the portal's pages, e.g. `/builds/hello/3`.",
});
const Label = Type.String({ maxLength: 200 });

/** One value of a summary. */
const factSchema = Type.Object({
  id: Type.String({ description: 'Unique in its summary, and stable.' }),
  label: Label,
  kind: oneOf(FACT_KINDS),
  value: Type.Unsafe<number | string | null>({
    type: ['number', 'string', 'null'],
    description:
      'A count; a percentage from 0 to 100; a duration in seconds; an instant in ISO 8601; a text; an entity reference or name of a person. Null where nothing is known.',
  }),
  unit: Type.Optional(Type.String({ description: 'Of a count: `per week`.' })),
  previous: Type.Optional(
    Type.Number({ description: 'The value of the previous period.' }),
  ),
  at: Type.Optional(Instant),
  by: Type.Optional(Type.String()),
  page: Type.Optional(PagePath),
  tone: Type.Optional(oneOf(TONES)),
});
export type Fact = Static<typeof factSchema>;

/** Something that needs a person's attention, with what to do about it. */
const needSchema = Type.Object({
  key: Type.String({
    description:
      'The same as long as it is the same thing: what was set aside stays so.',
  }),
  kind: Type.String({ description: 'e.g. `build-failed`.' }),
  title: Label,
  detail: Type.Optional(Label),
  at: Instant,
  tone: oneOf(['bad', 'warning'] as const),
  page: PagePath,
  action: Type.String({ description: 'The label of the link to the page.' }),
  notified: Type.Optional(
    Type.Boolean({
      description:
        'The part sends its own notification, so the inbox sends none.',
    }),
  ),
  scope: Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        "The scope of the part's own notification: Done marks it as read.",
    }),
  ),
  entityRef: Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        'What it is about: a component, or the owner of what has none.',
    }),
  ),
});
export type Need = Static<typeof needSchema>;

/** Maximum number of needs in the summary of a user, and in that of any other entity. */
export const MAX_NEEDS = { user: 100, other: 20 } as const;

/** The response of `GET /api/v1/entities/{ref}/summary`. */
export const entitySummarySchema = Type.Object({
  state: oneOf(SUMMARY_STATES),
  message: Type.Optional(
    Type.String({
      description:
        'Where it is unconnected, what connects it; else what is up.',
    }),
  ),
  page: Type.Optional(PagePath),
  truncated: Type.Optional(
    Type.Boolean({
      description: 'There are more components than are included.',
    }),
  ),
  facts: Type.Array(factSchema, { maxItems: 20 }),
  needs: Type.Array(needSchema, { maxItems: MAX_NEEDS.user }),
  moreNeeds: Type.Optional(
    Type.Boolean({
      description: 'There are more needs; these are the most urgent.',
    }),
  ),
});
export type EntitySummary = Static<typeof entitySummarySchema>;

const Neighbour = Type.Object({
  kind: oneOf(ITEM_KINDS),
  title: Label,
  page: PagePath,
});

/** An event that concerns an entity. */
const timelineItemSchema = Type.Object({
  id: Type.String({ description: 'Unique within its part.' }),
  kind: oneOf(ITEM_KINDS),
  at: Instant,
  title: Label,
  state: Type.Optional(Label),
  tone: Type.Optional(oneOf(TONES)),
  by: Type.Optional(Label),
  page: Type.Optional(PagePath),
  commit: Type.Optional(
    Type.String({ description: 'Joins items of several parts.' }),
  ),
  series: Type.Optional(
    Type.String({
      description:
        'Items of the same series replace each other, as the deployments of a service to an environment do.',
    }),
  ),
  entityRef: Type.Optional(
    Type.String({ description: 'The component that it is about.' }),
  ),
  neighbours: Type.Array(Neighbour, { maxItems: 10 }),
});
export type TimelineItem = Static<typeof timelineItemSchema>;

/** The response of `GET /api/v1/entities/{ref}/timeline`, newest first. */
export const timelineAnswerSchema = Type.Object({
  items: Type.Array(timelineItemSchema),
  truncated: Type.Boolean({
    description: 'There are more items in the period.',
  }),
  ownOnly: Type.Optional(
    Type.Boolean({
      description:
        "Only the caller's own items are listed; there may be items of others.",
    }),
  ),
});
