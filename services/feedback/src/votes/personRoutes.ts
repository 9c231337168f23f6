import { isoOf } from '@slipway/entity-contract';
import {
  type Caller,
  ForbiddenError,
  type ServiceApp,
} from '@slipway/service-kit';
import { type Static, Type } from 'typebox';
import { type FeedbackAccess, userOf } from '../access.ts';
import { pages, paginate } from '../feedback/lists.ts';
import type { VotedDuplicate } from '../storage/DuplicateVotes.ts';
import type { Vote, VoteStore } from '../storage/VoteStore.ts';
import { PersonId, PersonVotes } from './schemas.ts';

/** Adds the routes that return and delete the votes of one person. */
export function personVoteRoutes(
  app: ServiceApp,
  {
    access,
    votes,
    now,
  }: { access: FeedbackAccess; votes: VoteStore; now: () => number },
): void {
  async function assertMayManage(caller: Caller, person: string) {
    if (userOf(caller) !== person && !(await access.isAdmin(caller))) {
      throw new ForbiddenError();
    }
  }

  app.get(
    '/api/v1/people/:id/votes',
    {
      config: { access: access.session },
      schema: {
        tags: ['people'],
        summary: 'List the votes of one person',
        description: 'For the person and admins.',
        params: PersonId,
        querystring: Type.Object(pages),
        response: { 200: PersonVotes },
      },
    },
    async ({ caller, params, query }) => {
      await assertMayManage(caller, params.id);
      const page = { number: query.page, size: query.per_page };
      const found = await votes.list({ voter: params.id }, page);
      const duplicates = await votes.votedDuplicates(params.id, {
        mergedInto: found.votes.map(({ feedbackId }) => feedbackId),
      });
      return {
        votes: found.votes.map(vote => presentVote(vote, duplicates)),
        pagination: paginate(found.total, query),
      };
    },
  );

  app.delete(
    '/api/v1/people/:id/votes',
    {
      config: { access: access.session, audited: true },
      schema: {
        tags: ['people'],
        summary: 'Delete the votes of one person',
        description: 'For the person and admins.',
        params: PersonId,
        response: { 200: Type.Object({ deleted: Type.Integer() }) },
      },
    },
    async ({ caller, params }) => {
      await assertMayManage(caller, params.id);
      return { deleted: await votes.erase(params.id, { at: now() }) };
    },
  );
}

/** Presents a vote, with the user's votes for duplicates that were merged into the same record. */
function presentVote(
  { feedbackId, title, at }: Vote,
  duplicates: readonly VotedDuplicate[],
): Static<typeof PersonVotes>['votes'][number] {
  const own = duplicates.filter(({ mergedInto }) => mergedInto === feedbackId);
  return {
    feedback_id: feedbackId,
    title,
    voted_at: isoOf(at),
    ...(own.length > 0 && {
      duplicates: own.map(duplicate => ({
        feedback_id: duplicate.feedbackId,
        ...(duplicate.title !== null && { title: duplicate.title }),
      })),
    }),
  };
}
