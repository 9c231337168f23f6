import { isoOf } from '@slipway/entity-contract';
import {
  actorOf,
  InvalidRequestError,
  NotFoundError,
  type ServiceApp,
} from '@slipway/service-kit';
import { Type } from 'typebox';
import { type FeedbackAccess, userOf } from '../access.ts';
import {
  orderOf,
  pageOf,
  pages,
  paginate,
  presentPage,
} from '../feedback/lists.ts';
import { FeedbackId } from '../feedback/schemas.ts';
import type { FeedbackStore } from '../storage/FeedbackStore.ts';
import type { VoteStore } from '../storage/VoteStore.ts';
import { personVoteRoutes } from './personRoutes.ts';
import {
  BallotAnswer,
  BallotListQuery,
  MergeAnswer,
  MergeDraft,
  presentBallot,
  VoterList,
  VotingDraft,
} from './schemas.ts';
import type { VoteDesk } from './VoteDesk.ts';

/** Dependencies of the routes of votes. */
interface VoteRoutesOptions {
  access: FeedbackAccess;
  desk: VoteDesk;
  feedback: FeedbackStore;
  votes: VoteStore;
  now: () => number;
}

/** Adds the routes of votes: for users, for admins, and for the data of one person. */
export function addVoteRoutes(
  app: ServiceApp,
  options: VoteRoutesOptions,
): void {
  voteRoutes(app, options);
  ballotRoutes(app, options);
  personVoteRoutes(app, options);
}

/** Adds the routes with which users list what is open for voting, and vote. */
function voteRoutes(
  app: ServiceApp,
  { access, desk, feedback, now }: VoteRoutesOptions,
): void {
  const config = { access: access.session };

  app.get(
    '/api/v1/feedback/voting',
    {
      config,
      schema: {
        tags: ['votes'],
        summary: 'List the feedback that is open for voting',
        description:
          'Only what those who triage have written for everyone: neither messages nor senders.',
        querystring: BallotListQuery,
        response: { 200: pageOf(BallotAnswer) },
      },
    },
    async ({ caller, query }) => {
      const user = userOf(caller);
      const order = orderOf({ ...query, sort: query.sort ?? 'votes' }, now());
      const found = await feedback.list(
        {
          votingTitle: query.q,
          category: query.category,
          ...(query.voted ? { voter: user } : { isOpenForVoting: true }),
        },
        { number: query.page, size: query.per_page, order },
      );
      const ballots = await desk.present(found.feedback, user);
      return presentPage(
        { ...found, feedback: ballots },
        { ...query, order },
        presentBallot,
      );
    },
  );

  app.get(
    '/api/v1/feedback/:id/voting',
    {
      config,
      schema: {
        tags: ['votes'],
        summary:
          'Get what everyone may see of feedback that is open for voting',
        params: FeedbackId,
        response: { 200: BallotAnswer },
      },
    },
    async ({ caller, params }) =>
      presentBallot(
        await desk.read(params.id, {
          id: userOf(caller),
          isAdmin: await access.isAdmin(caller),
        }),
      ),
  );

  app.put(
    '/api/v1/feedback/:id/vote',
    {
      config: { ...config, faults: ['conflict'] },
      schema: {
        tags: ['votes'],
        summary: 'Vote for feedback that is open for voting; idempotent',
        params: FeedbackId,
        response: { 200: BallotAnswer },
      },
    },
    async ({ caller, params }) =>
      presentBallot(await desk.vote(params.id, userOf(caller))),
  );

  app.delete(
    '/api/v1/feedback/:id/vote',
    {
      config,
      schema: {
        tags: ['votes'],
        summary: 'Withdraw a vote; idempotent',
        params: FeedbackId,
        response: { 204: { type: 'null', description: 'No longer voted' } },
      },
    },
    async ({ caller, params }, reply) => {
      await desk.takeBack(params.id, userOf(caller));
      return reply.code(204).send(null);
    },
  );
}

/** Adds the routes with which admins open feedback for voting, and merge duplicates. */
function ballotRoutes(
  app: ServiceApp,
  { access, desk, feedback, votes }: VoteRoutesOptions,
): void {
  const config = { access: access.admin };

  app.put(
    '/api/v1/feedback/:id/voting',
    {
      config: { ...config, faults: ['conflict'] },
      schema: {
        tags: ['triage'],
        summary: 'Open feedback for voting, or change its title or public note',
        description:
          'Every user sees the title, category, status, number of votes and public note. Voters are notified of a new note. Without a title, only the note changes, and only while the feedback is open.',
        params: FeedbackId,
        body: VotingDraft,
        response: { 200: BallotAnswer },
      },
    },
    async ({ body, caller, params }) => {
      const { title, public_note: note, seen_note: seenNote } = body;
      if (title === undefined && note === undefined) {
        throw new InvalidRequestError('title is required', {
          field: 'title',
          constraint: 'required',
        });
      }
      const opened = await desk.open(params.id, {
        title: title?.trim(),
        note: note?.trim(),
        seenNote,
        actor: actorOf(caller),
      });
      const [ballot] = await desk.present([opened], userOf(caller));
      return presentBallot(ballot);
    },
  );

  app.delete(
    '/api/v1/feedback/:id/voting',
    {
      config,
      schema: {
        tags: ['triage'],
        summary: 'Close feedback for voting; its votes are kept',
        params: FeedbackId,
        response: { 204: { type: 'null', description: 'Closed' } },
      },
    },
    async ({ params }, reply) => {
      await desk.close(params.id);
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/api/v1/feedback/:id/votes',
    {
      config,
      schema: {
        tags: ['triage'],
        summary: 'List the users who voted for feedback, newest first',
        params: FeedbackId,
        querystring: Type.Object(pages),
        response: { 200: VoterList },
      },
    },
    async ({ params, query }) => {
      if (!(await feedback.find(params.id))) {
        throw new NotFoundError('Feedback not found');
      }
      const page = { number: query.page, size: query.per_page };
      const found = await votes.list({ feedbackId: params.id }, page);
      return {
        votes: found.votes.map(({ voter, at }) => ({
          user: voter,
          voted_at: isoOf(at),
        })),
        pagination: paginate(found.total, query),
      };
    },
  );

  app.post(
    '/api/v1/feedback/:id/merge',
    {
      config: { ...config, faults: ['conflict'] },
      schema: {
        tags: ['triage'],
        summary: 'Merge a duplicate into other feedback',
        description:
          'The duplicate is archived. Its votes and that of its sender move to the other feedback, which must be open for voting.',
        params: FeedbackId,
        body: MergeDraft,
        response: { 200: MergeAnswer },
      },
    },
    async ({ body, caller, params }) => {
      const target = await desk.merge(params.id, body.into, {
        actor: actorOf(caller),
        seenReplies: body.reply_count,
      });
      return { id: params.id, merged_into: target.id, votes: target.votes };
    },
  );

  app.delete(
    '/api/v1/feedback/:id/merge',
    {
      config,
      schema: {
        tags: ['triage'],
        summary: 'Undo the merging of a duplicate',
        description:
          'It gets back its status and the votes for it that have not been withdrawn since. Idempotent.',
        params: FeedbackId,
        response: { 204: { type: 'null', description: 'Not a duplicate' } },
      },
    },
    async ({ caller, params }, reply) => {
      await desk.undoMerge(params.id, actorOf(caller));
      return reply.code(204).send(null);
    },
  );
}
