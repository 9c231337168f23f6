import {
  actorOf,
  InvalidRequestError,
  type ServiceApp,
} from '@slipway/service-kit';
import { Type } from 'typebox';
import type { FeedbackAccess } from '../access.ts';
import type { FeedbackDeletion } from '../storage/FeedbackDeletion.ts';
import {
  type ImportedFeedback,
  MergeTargetError,
} from '../storage/ImportedFeedback.ts';
import { fieldOf, PastRecord, PastRecordReader } from './PastRecord.ts';

const MAX_RECORDS = 1_000;

const NamespacePath = Type.Object({
  namespace: Type.String({
    pattern: '^[a-z0-9]([a-z0-9_.-]{0,61}[a-z0-9])?$',
    patternDescription: 'must be a namespace of the catalog, in lower case',
  }),
});

/**
 * Adds the routes with which admins import past feedback and delete the feedback about a namespace
 * of the catalog.
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
      const reader = new PastRecordReader({
        categories,
        actor: actorOf(caller),
        now: now(),
      });
      const records = body.feedback.map((record, index) =>
        reader.read(record, index),
      );
      reply.code(201);
      return { imported: await add(imported, records) };
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

async function add(
  imported: ImportedFeedback,
  records: Parameters<ImportedFeedback['add']>[0],
): Promise<number> {
  try {
    return await imported.add(records);
  } catch (error) {
    if (error instanceof MergeTargetError) {
      const field = fieldOf(error.index)('merged_into');
      throw new InvalidRequestError(
        `${field} must be the key of feedback that is open for voting`,
        { field, constraint: 'reference' },
      );
    }
    throw error;
  }
}
