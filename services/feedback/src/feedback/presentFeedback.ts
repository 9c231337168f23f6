import type { Static } from 'typebox';
import type { Feedback, StatusChange } from './Feedback.ts';
import type {
  FeedbackAnswer,
  FeedbackListElement,
  HistoryAnswer,
} from './schemas.ts';

/** ISO 8601 in UTC of milliseconds since the Unix epoch. */
export function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** As lists show it. */
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
    created_at: iso(feedback.createdAt),
    user: {
      name: sender.name,
      email: sender.email,
      verified: sender.author !== null,
    },
  };
}

/** A record by itself. */
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
      timestamp: iso(feedback.occurredAt),
    },
    anonymous: feedback.sender.anonymous,
    source: feedback.source,
    priority: feedback.priority,
    updated_at: iso(feedback.updatedAt),
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

/** Keeps the order, which is oldest first from the store. */
export function presentHistory(
  changes: readonly StatusChange[],
): Static<typeof HistoryAnswer> {
  return changes.map(({ at, ...change }) => ({ ...change, at: iso(at) }));
}
