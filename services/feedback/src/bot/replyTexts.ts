import type { Feedback } from '../feedback/Feedback.ts';
import type { FeedbackStatistics } from '../statistics/Statistics.ts';
import type { AuthorSummary } from '../storage/StatisticsStore.ts';

/** Returns the receipt for feedback: how it was understood, and what to do next. */
export function receiptText(feedback: Feedback): string {
  const { category, sentiment, priority } = feedback;
  return [
    'Feedback received. Classified as:',
    `• Category: ${category}`,
    `• Sentiment: ${sentiment}`,
    `• Priority: ${priority}`,
    'To add details, reply in this thread; in a channel, mention me again.',
  ].join('\n');
}

/** Returns a summary of the last 30 days, including the user's own feedback. */
export function statusText(
  found: { statistics: FeedbackStatistics; own: AuthorSummary },
  now: number,
): string {
  const { statistics, own } = found;
  const { total, averageRating } = statistics;
  return [
    'Feedback in the last 30 days:',
    `• Total submissions: ${total}`,
    `• Average rating: ${total === 0 ? 'none yet' : `${averageRating} of 5`}`,
    `• Your submissions: ${own.count}`,
    `• Your most recent: ${latestText(own.latest, now)}`,
  ].join('\n');
}

/**
 * Describes the latest feedback without its text: it may have been sent in private, and the summary
 * may be requested in a channel.
 */
function latestText(latest: AuthorSummary['latest'], now: number): string {
  if (!latest) {
    return 'none yet';
  }
  const { category, status, createdAt } = latest;
  return `${category}, ${status.replace('_', ' ')}, ${ageOf(now - createdAt)}`;
}

/** Returns the list of commands. */
export function helpText(): string {
  return [
    'Send feedback about the developer platform:',
    '• `@feedback <message>` submits feedback',
    '• `@feedback status` summarizes the last 30 days',
    '• `@feedback help` shows this list',
    'Direct messages work too, without the mention.',
  ].join('\n');
}

/** Returns the reply to a message that was too long and was not stored. */
export function tooLongText(length: number): string {
  return `Your message has ${length} characters; the limit is 10000. It was not saved: shorten it or send it in parts.`;
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

function ageOf(milliseconds: number): string {
  for (const [name, length] of UNITS) {
    const count = Math.floor(milliseconds / length);
    if (count > 0) {
      return `${count} ${name}${count === 1 ? '' : 's'} ago`;
    }
  }
  return 'just now';
}
