import type { Feedback } from './Feedback.ts';
import type { FeedbackPage } from './FeedbackStore.ts';

/** A page of a list with its place among the others. */
export function presentPage<T>(
  found: FeedbackPage,
  query: { page: number; per_page: number },
  present: (feedback: Feedback) => T,
) {
  const { page, per_page } = query;
  return {
    feedback: found.feedback.map(present),
    pagination: {
      page,
      per_page,
      total: found.total,
      total_pages: Math.ceil(found.total / per_page),
    },
  };
}
