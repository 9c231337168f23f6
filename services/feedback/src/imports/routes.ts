import {
  actorOf,
  InvalidRequestError,
  type ServiceApp,
} from '@slipway/service-kit';
import { type Static, Type } from 'typebox';
import type { FeedbackAccess } from '../access.ts';
import {
  createFeedbackId,
  type Status,
  type StatusChange,
} from '../feedback/Feedback.ts';
import { FeedbackSubmission } from '../feedback/schemas.ts';
import { readMoment } from '../periods/TimeSpan.ts';
import { priorityOf, sentimentOf } from '../sentiment/sentimentOf.ts';
import type { FeedbackDeletion } from '../storage/FeedbackDeletion.ts';
import type {
  ImportedFeedback,
  PastFeedback,
} from '../storage/ImportedFeedback.ts';

const MAX_RECORDS = 1_000;

/** Imported feedback is never in progress: no issue is created for it. */
const PastStatus = Type.Unsafe<Status>(
  Type.String({ enum: ['new', 'resolved', 'archived'] }),
);

const PastRecord = Type.Object({
  key: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Identifies it: a record with a known key is skipped',
  }),
  created_at: Type.String({ format: 'date-time', maxLength: 64 }),
  rating: FeedbackSubmission.properties.rating,
  category: FeedbackSubmission.properties.category,
  message: FeedbackSubmission.properties.message,
  component: Type.Optional(
    Type.String({
      maxLength: 256,
      description: 'Entity reference, e.g. component:shop/cart',
    }),
  ),
  author: Type.Optional(
    Type.String({
      maxLength: 256,
      description: 'Entity reference of the sender; anonymous when left out',
    }),
  ),
  author_name: Type.Optional(Type.String({ maxLength: 256 })),
  status: Type.Optional(PastStatus),
  status_at: Type.Optional(Type.String({ format: 'date-time', maxLength: 64 })),
  notes: Type.Optional(Type.String({ maxLength: 10_000 })),
});

const NamespacePath = Type.Object({
  namespace: Type.String({
    pattern: '^[a-z0-9]([a-z0-9_.-]{0,61}[a-z0-9])?$',
    patternDescription: 'must be a namespace of the catalog, in lower case',
  }),
});

/**
 * Adds the routes with which admins import past feedback, and delete feedback about a namespace of
 * the catalog.
 */
export function importRoutes(
  app: ServiceApp,
  options: {
    access: FeedbackAccess;
    imported: ImportedFeedback;
    deletion: FeedbackDeletion;
    categories: readonly string[];
    now: () => number;
  },
): void {
  const { access, imported, deletion, categories, now } = options;
  const readPast = (text: string, field: string): number => {
    const moment = readMoment(text, field);
    if (moment > now()) {
      throw new InvalidRequestError(`${field} must not be in the future`, {
        field,
        constraint: 'maximum',
      });
    }
    return moment;
  };
  const config = { access: access.admin };
  const tags = ['imports'];

  app.post(
    '/api/v1/feedback/imports',
    {
      config,
      schema: {
        tags,
        summary: 'Import past feedback, all or none of which is stored',
        body: Type.Object({
          feedback: Type.Array(PastRecord, {
            minItems: 1,
            maxItems: MAX_RECORDS,
          }),
        }),
        response: { 201: Type.Object({ imported: Type.Integer() }) },
      },
    },
    async ({ body, caller }, reply) => {
      const actor = actorOf(caller);
      const records = body.feedback.map((record, index) => {
        const field = (name: string) => `feedback.${index}.${name}`;
        if (!categories.includes(record.category)) {
          throw new InvalidRequestError(
            `${field('category')} must be one of ${categories.join(', ')}`,
            { field: field('category'), constraint: 'enum' },
          );
        }
        const createdAt = readPast(record.created_at, field('created_at'));
        const changedAt =
          record.status_at === undefined
            ? createdAt
            : readPast(record.status_at, field('status_at'));
        if (changedAt < createdAt) {
          throw new InvalidRequestError(
            `${field('status_at')} must not be before created_at`,
            { field: field('status_at'), constraint: 'minimum' },
          );
        }
        return toPast(record, { createdAt, changedAt, actor });
      });
      reply.code(201);
      return { imported: await imported.add(records) };
    },
  );

  app.delete(
    '/api/v1/namespaces/:namespace',
    {
      config,
      schema: {
        tags,
        summary: 'Delete all feedback about the components of a namespace',
        params: NamespacePath,
        response: { 200: Type.Object({ deleted: Type.Integer() }) },
      },
    },
    async ({ params }) => ({
      deleted: await deletion.deleteNamespace(params.namespace),
    }),
  );
}

function toPast(
  record: Static<typeof PastRecord>,
  {
    createdAt,
    changedAt,
    actor,
  }: { createdAt: number; changedAt: number; actor: string },
): PastFeedback {
  const { message, rating, category, author, status = 'new' } = record;
  const sentiment = sentimentOf(message, rating);
  const changes: StatusChange[] =
    status === 'new'
      ? []
      : [
          {
            at: changedAt,
            actor,
            from: 'new',
            to: status,
            notes: record.notes ?? '',
          },
        ];
  return {
    key: `import:${record.key}`,
    changes,
    feedback: {
      id: createFeedbackId(),
      rating,
      ratingInferred: false,
      category,
      message,
      page: null,
      component: record.component?.toLocaleLowerCase('en-US') ?? null,
      occurredAt: createdAt,
      sender: {
        author: author ?? null,
        name: record.author_name ?? null,
        email: null,
        anonymous: author === undefined,
      },
      source: 'api',
      sentiment,
      priority: priorityOf(message, sentiment),
      status,
      createdAt,
      updatedAt: status === 'new' ? createdAt : changedAt,
      screenshotType: null,
      issue: null,
      replyCount: 0,
      awaitsReply: false,
      votes: 0,
      voting: null,
      mergedInto: null,
    },
  };
}
