import { InvalidRequestError } from '@slipway/service-kit';
import { type Static, Type } from 'typebox';
import {
  createFeedbackId,
  type Status,
  type StatusChange,
  type Voting,
} from '../feedback/Feedback.ts';
import { FeedbackSubmission } from '../feedback/schemas.ts';
import { readMoment } from '../periods/TimeSpan.ts';
import { priorityOf, sentimentOf } from '../sentiment/sentimentOf.ts';
import type { PastFeedback, PastVote } from '../storage/ImportedFeedback.ts';
import { VotingTitle } from '../votes/schemas.ts';

const MAX_VOTES = 1_000;

/**
 * The statuses that imported feedback may have: not `validated`, because that would create an
 * issue.
 */
const PastStatus = Type.Unsafe<Status>(
  Type.String({ enum: ['new', 'in_progress', 'resolved', 'archived'] }),
);

const Moment = Type.String({ format: 'date-time', maxLength: 64 });

const PastVoting = Type.Object(
  {
    title: VotingTitle,
    opened_at: Type.Optional(Moment),
    public_note: Type.Optional(
      Type.Object({
        text: Type.String({
          minLength: 1,
          maxLength: 500,
          pattern: '\\S',
          patternDescription: 'must not be blank',
        }),
        written_at: Type.Optional(Moment),
      }),
    ),
    votes: Type.Optional(
      Type.Array(
        Type.Object({
          user: Type.String({
            maxLength: 256,
            pattern: '^[Uu]ser:[^/]+/[^/]+$',
            patternDescription: 'must be the entity reference of a user',
          }),
          voted_at: Type.Optional(Moment),
        }),
        {
          maxItems: MAX_VOTES,
          description:
            'One vote per user. The sender has no vote unless it is listed here.',
        },
      ),
    ),
  },
  {
    description: 'Opens it for voting at opened_at. Default: created_at.',
  },
);

/** A record to import. */
export const PastRecord = Type.Object({
  key: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Identifies it: a record with a known key is skipped',
  }),
  created_at: Moment,
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
  status_at: Type.Optional(Moment),
  notes: Type.Optional(Type.String({ maxLength: 10_000 })),
  voting: Type.Optional(PastVoting),
  merged_into: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'The key of a record that is open for voting, into which it was merged at status_at. Not with status or notes. It is skipped if that record was imported earlier and has been closed since.',
    }),
  ),
});

/** Parses imported records, and checks what their schema cannot express. */
export class PastRecordReader {
  readonly #options: {
    categories: readonly string[];
    actor: string;
    now: number;
  };

  /** @param options.actor - the entity reference of the user who imports them. */
  constructor(options: {
    categories: readonly string[];
    actor: string;
    now: number;
  }) {
    this.#options = options;
  }

  /**
   * Parses the record at an index of the request.
   *
   * @throws InvalidRequestError naming the field.
   */
  read(record: Static<typeof PastRecord>, index: number): PastFeedback {
    const { categories, actor } = this.#options;
    const field = fieldOf(index);
    const { message, rating, category, author, merged_into: target } = record;
    if (!categories.includes(category)) {
      throw new InvalidRequestError(
        `${field('category')} must be one of ${categories.join(', ')}`,
        { field: field('category'), constraint: 'enum' },
      );
    }
    for (const name of ['status', 'notes'] as const) {
      if (target !== undefined && record[name] !== undefined) {
        throw new InvalidRequestError(
          `${field(name)} cannot be combined with merged_into`,
          { field: field(name), constraint: 'unsupported' },
        );
      }
    }
    const createdAt = this.#readMoment(record.created_at, field('created_at'));
    const changedAt = this.#readMoment(record.status_at, field('status_at'), {
      name: 'created_at',
      at: createdAt,
    });
    const { status = 'new' } = record;
    const sentiment = sentimentOf(message, rating);
    const { voting, votes } = this.#readVoting(record, index, createdAt);
    return {
      key: keyOf(record.key),
      changes: changesOf(record, { at: changedAt, actor }),
      votes,
      ...(target !== undefined && {
        merge: { into: keyOf(target), actor, at: changedAt },
      }),
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
          author: author?.toLocaleLowerCase('en-US') ?? null,
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
        votes: votes.length,
        voting,
        mergedInto: null,
      },
    };
  }

  #readVoting(
    { voting }: Static<typeof PastRecord>,
    index: number,
    createdAt: number,
  ): { voting: Voting | null; votes: PastVote[] } {
    if (!voting) {
      return { voting: null, votes: [] };
    }
    const field = fieldOf(index);
    const since = this.#readMoment(
      voting.opened_at,
      field('voting.opened_at'),
      { name: 'created_at', at: createdAt },
    );
    const { public_note: note } = voting;
    const votes = new Map<string, PastVote>();
    for (const [place, vote] of (voting.votes ?? []).entries()) {
      const voter = vote.user.toLocaleLowerCase('en-US');
      const at = this.#readMoment(
        vote.voted_at,
        field(`voting.votes.${place}.voted_at`),
        { name: 'opened_at', at: since },
      );
      votes.set(voter, { voter, at });
    }
    return {
      voting: {
        title: voting.title.trim(),
        isOpen: true,
        since,
        note: note
          ? {
              text: note.text.trim(),
              at: this.#readMoment(
                note.written_at,
                field('voting.public_note.written_at'),
                { name: 'opened_at', at: since },
              ),
            }
          : null,
      },
      votes: [...votes.values()],
    };
  }

  /**
   * Parses a time, which must be in the past.
   *
   * @param after - the earliest possible time, and the default.
   */
  #readMoment(
    text: string | undefined,
    field: string,
    after?: { name: string; at: number },
  ): number {
    const moment =
      text === undefined && after ? after.at : readMoment(text ?? '', field);
    if (moment > this.#options.now) {
      throw new InvalidRequestError(`${field} must not be in the future`, {
        field,
        constraint: 'maximum',
      });
    }
    if (after && moment < after.at) {
      throw new InvalidRequestError(
        `${field} must not be before ${after.name}`,
        { field, constraint: 'minimum' },
      );
    }
    return moment;
  }
}

/** Returns a function that prefixes a field name with the index of its record. */
export function fieldOf(index: number): (name: string) => string {
  return name => `feedback.${index}.${name}`;
}

/** Returns the key under which a record is stored. */
function keyOf(key: string): string {
  return `import:${key}`;
}

function changesOf(
  { status = 'new', notes = '' }: Static<typeof PastRecord>,
  { at, actor }: { at: number; actor: string },
): StatusChange[] {
  return status === 'new'
    ? []
    : [{ at, actor, from: 'new', to: status, notes }];
}
