import { isoOf } from '@slipway/entity-contract';
import { type Static, Type } from 'typebox';
import {
  PRIORITIES,
  type Priority,
  SENTIMENTS,
  type Sentiment,
} from '../sentiment/sentimentOf.ts';
import {
  type Feedback,
  type Source,
  STATUSES,
  type Status,
} from './Feedback.ts';

export const StatusName = Type.Unsafe<Status>(
  Type.String({ enum: [...STATUSES] }),
);
export const SentimentName = Type.Unsafe<Sentiment>(
  Type.String({ enum: [...SENTIMENTS] }),
);
const PriorityName = Type.Unsafe<Priority>(
  Type.String({ enum: [...PRIORITIES] }),
);
const Moment = Type.String({ format: 'date-time' });
const ShortText = Type.String({ maxLength: 2_048 });

/** A string or null. */
const OptionalText = Type.Unsafe<string | null>({ type: ['string', 'null'] });

export const FeedbackId = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
});

/** Body of `POST /api/v1/feedback`. */
export const FeedbackSubmission = Type.Object({
  rating: Type.Integer({ minimum: 1, maximum: 5 }),
  category: Type.String({ minLength: 1, maxLength: 64 }),
  message: Type.String({
    minLength: 1,
    maxLength: 10_000,
    pattern: '\\S',
    patternDescription: 'must not be blank',
  }),
  context: Type.Optional(
    Type.Object({
      page: Type.Optional(ShortText),
      component: Type.Optional(ShortText),
      timestamp: Type.Optional(Type.String({ maxLength: 64 })),
    }),
  ),
  user: Type.Optional(
    Type.Object(
      {
        id: Type.Optional(Type.String({ maxLength: 256 })),
        name: Type.Optional(Type.String({ maxLength: 256 })),
        email: Type.Optional(Type.String({ maxLength: 320 })),
        anonymous: Type.Optional(Type.Boolean()),
      },
      {
        description:
          'Used only without a session; with one, the sender is its user. With `anonymous`, neither is stored.',
      },
    ),
  ),
  screenshot: Type.Optional(
    Type.String({
      description: 'PNG, JPEG, GIF or WebP in base64, 5 MiB decoded.',
    }),
  ),
});

export const FeedbackReceipt = Type.Object({
  id: Type.String(),
  status: StatusName,
  message: Type.String(),
  created_at: Moment,
  screenshot_stored: Type.Optional(
    Type.Boolean({
      description:
        'False if there was no space for the screenshot; otherwise not included.',
    }),
  ),
});

export const FeedbackListElement = Type.Object({
  id: Type.String(),
  rating: Type.Integer(),
  category: Type.String(),
  message: Type.String(),
  sentiment: SentimentName,
  status: StatusName,
  created_at: Moment,
  user: Type.Object({
    name: OptionalText,
    email: OptionalText,
    verified: Type.Boolean({
      description:
        'Whether a session or the chat platform confirms the sender; otherwise the name is only claimed.',
    }),
  }),
  context: Type.Optional(
    Type.Object(
      { component: OptionalText },
      { description: 'Only in lists of feedback about components.' },
    ),
  ),
  reply_count: Type.Optional(
    Type.Integer({
      description:
        'The number of replies, without internal notes; only if there are any.',
    }),
  ),
  awaits_reply: Type.Optional(
    Type.Boolean({
      description:
        'True if the last reply is the sender’s, and no admin has changed the status since; otherwise not included.',
    }),
  ),
  votes: Type.Optional(
    Type.Integer({
      description: 'The number of users who want the same; only if any.',
    }),
  ),
  merged_into: Type.Optional(
    Type.String({
      description:
        'The id of the record that it is a duplicate of; only if it is one.',
    }),
  ),
});

export const FeedbackAnswer = Type.Object({
  ...FeedbackListElement.properties,
  rating_inferred: Type.Boolean({
    description:
      'Whether the rating was inferred from the words of a chat message.',
  }),
  context: Type.Object({
    page: OptionalText,
    component: OptionalText,
    timestamp: Moment,
  }),
  anonymous: Type.Boolean(),
  source: Type.Unsafe<Source>(Type.String()),
  priority: PriorityName,
  updated_at: Moment,
  screenshot_url: OptionalText,
  tracker_issue: Type.Unsafe<{
    number: number;
    url: string;
    title: string;
    tracker: string;
  } | null>({
    type: ['object', 'null'],
    properties: {
      number: { type: 'integer' },
      url: { type: 'string' },
      title: { type: 'string' },
      tracker: { type: 'string' },
    },
  }),
});

/** The member of a status change that states how many replies its author has seen. */
export const seenReplies = Type.Optional(
  Type.Integer({
    minimum: 0,
    description:
      'The number of replies that the caller has seen: with more, the record still awaits a reply.',
  }),
);

/** Body of `PUT /api/v1/feedback/{id}/status`. */
export const StatusUpdate = Type.Object({
  status: StatusName,
  notes: Type.Optional(Type.String({ maxLength: 10_000 })),
  reply_count: seenReplies,
});

export const StatusReceipt = Type.Object({
  id: Type.String(),
  status: StatusName,
  updated_at: Moment,
});

export const OptionsAnswer = Type.Object({
  categories: Type.Array(Type.String()),
  may_triage: Type.Boolean({ description: 'Whether the caller may triage.' }),
  screenshots: Type.Optional(
    Type.Object(
      { bytes: Type.Integer(), quota_bytes: Type.Integer() },
      {
        description:
          'The space that screenshots use; only for admins, and if most of it is used up.',
      },
    ),
  ),
});

/** Presents a record for lists. */
export function presentElement(
  feedback: Feedback,
): Static<typeof FeedbackListElement> {
  const { sender } = feedback;
  return {
    id: feedback.id,
    rating: feedback.rating,
    category: feedback.category,
    message: feedback.message,
    sentiment: feedback.sentiment,
    status: feedback.status,
    created_at: isoOf(feedback.createdAt),
    user: {
      name: sender.name,
      email: sender.email,
      verified: sender.author !== null,
    },
    ...(feedback.replyCount > 0 && { reply_count: feedback.replyCount }),
    ...(feedback.awaitsReply && { awaits_reply: true }),
    ...(feedback.votes > 0 && { votes: feedback.votes }),
    ...(feedback.mergedInto !== null && { merged_into: feedback.mergedInto }),
  };
}

/** Presents a record for lists of feedback about components. */
export function presentElementOf(
  feedback: Feedback,
): Static<typeof FeedbackListElement> {
  return {
    ...presentElement(feedback),
    context: { component: feedback.component },
  };
}

/** Presents a single record. */
export function presentFeedback(
  feedback: Feedback,
): Static<typeof FeedbackAnswer> {
  const { issue, screenshotType } = feedback;
  return {
    ...presentElement(feedback),
    rating_inferred: feedback.ratingInferred,
    context: {
      page: feedback.page,
      component: feedback.component,
      timestamp: isoOf(feedback.occurredAt),
    },
    anonymous: feedback.sender.anonymous,
    source: feedback.source,
    priority: feedback.priority,
    updated_at: isoOf(feedback.updatedAt),
    screenshot_url:
      screenshotType === null
        ? null
        : `/api/v1/feedback/${feedback.id}/screenshot`,
    tracker_issue: issue && {
      number: issue.number,
      url: issue.url,
      title: issue.title,
      tracker: issue.tracker,
    },
  };
}
