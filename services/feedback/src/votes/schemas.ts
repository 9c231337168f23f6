import { isoOf } from '@slipway/entity-contract';
import { type Static, type TSchema, Type } from 'typebox';
import { isOpenForVoting, type PublicNote } from '../feedback/Feedback.ts';
import { orders, pages, Pagination } from '../feedback/lists.ts';
import { seenReplies, StatusName } from '../feedback/schemas.ts';
import type { Ballot } from './VoteDesk.ts';

const Moment = Type.String({ format: 'date-time' });

/** A note for everyone, written by an admin. */
export const PublicNoteAnswer = Type.Object({
  text: Type.String(),
  written_at: Moment,
});

/** The public part of feedback that is open for voting. */
export const BallotAnswer = Type.Object({
  id: Type.String(),
  title: Type.String({
    description: 'Written by an admin; the message of the sender is private.',
  }),
  category: Type.String(),
  status: StatusName,
  votes: Type.Integer(),
  voted: Type.Boolean({ description: 'Whether the caller has voted.' }),
  open: Type.Boolean({
    description:
      'False if nobody can vote any more: it was closed, resolved, archived or merged.',
  }),
  opened_at: Moment,
  public_note: Type.Optional(PublicNoteAnswer),
  merged_into: Type.Optional(
    Type.String({
      description: 'The id of the feedback that it is a duplicate of.',
    }),
  ),
  merged_title: Type.Optional(
    Type.String({
      description:
        'The title of that feedback, if the caller may see it; not in lists.',
    }),
  ),
});

/** Query of `GET /api/v1/feedback/voting`. */
export const BallotListQuery = Type.Object({
  q: Type.Optional(
    Type.String({ maxLength: 200, description: 'Part of the title.' }),
  ),
  category: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  voted: Type.Optional(
    Type.Boolean({
      description:
        'Lists what the caller has voted for instead, including what is no longer open.',
    }),
  ),
  sort: Type.Optional(
    Type.Unsafe<'newest' | 'votes'>(
      Type.String({ enum: ['newest', 'votes'], default: 'votes' }),
    ),
  ),
  votes_until: orders.votes_until,
  ...pages,
});

/** The title under which feedback is open for voting. */
export const VotingTitle = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  patternDescription: 'must not be blank',
  description: 'The wish in words that everyone may read.',
});

/** Body of `PUT /api/v1/feedback/{id}/voting`: a title, a public note or both. */
export const VotingDraft = Type.Object({
  title: Type.Optional(VotingTitle),
  public_note: Type.Optional(
    Type.String({
      maxLength: 500,
      description:
        'What everyone may know about it, e.g. what is planned. Removed if empty, unchanged if missing.',
    }),
  ),
  seen_note: Type.Optional(
    Type.String({
      maxLength: 500,
      description:
        'The public note that the caller has seen, empty if there was none: 409 if it is a different one now, so that nobody replaces a note unseen.',
    }),
  ),
});

/** Body of `POST /api/v1/feedback/{id}/merge`. */
export const MergeDraft = Type.Object({
  into: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The id of feedback that is open for voting.',
  }),
  reply_count: seenReplies,
});

export const MergeAnswer = Type.Object({
  id: Type.String(),
  merged_into: Type.String(),
  votes: Type.Integer({ description: 'The votes for the other feedback.' }),
});

/** A person, as an entity reference. */
export const PersonId = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 256 }),
});

function votesOf<E extends TSchema>(element: E) {
  return Type.Object({ votes: Type.Array(element), pagination: Pagination });
}

/** The users who voted for feedback. */
export const VoterList = votesOf(
  Type.Object({
    user: Type.String({ description: 'An entity reference.' }),
    voted_at: Moment,
  }),
);

/** The votes of one person. */
export const PersonVotes = votesOf(
  Type.Object({
    feedback_id: Type.String(),
    title: Type.String(),
    voted_at: Moment,
    duplicates: Type.Optional(
      Type.Array(
        Type.Object({
          feedback_id: Type.String(),
          title: Type.Optional(Type.String()),
        }),
        {
          description:
            'Its duplicates for which the person had voted, or which the person had sent; only if any. Those that were never open for voting have no title.',
        },
      ),
    ),
  }),
);

/** Presents a public note. */
export function presentNote({
  text,
  at,
}: PublicNote): Static<typeof PublicNoteAnswer> {
  return { text, written_at: isoOf(at) };
}

/** Presents the part of a record that a user may see. */
export function presentBallot({
  feedback,
  hasVoted,
  mergedTitle,
}: Ballot): Static<typeof BallotAnswer> {
  const { voting, mergedInto } = feedback;
  return {
    id: feedback.id,
    title: voting.title,
    category: feedback.category,
    status: feedback.status,
    votes: feedback.votes,
    voted: hasVoted,
    open: isOpenForVoting(feedback),
    opened_at: isoOf(voting.since),
    ...(voting.note && { public_note: presentNote(voting.note) }),
    ...(mergedInto !== null && { merged_into: mergedInto }),
    ...(mergedTitle !== undefined && { merged_title: mergedTitle }),
  };
}
