import type { Feedback } from '../feedback/Feedback.ts';
import type { IssueDraft, TrackedIssue } from './Tracker.ts';

const TITLE_LENGTH = 80;

/**
 * Words an issue. Who sent the feedback is left out: more people read trackers than
 * triage. The message stands in a code block, where it mentions and closes nothing.
 *
 * @param options.pagesUrl - of the portal.
 */
export function draftIssue(
  feedback: Feedback,
  options: { pagesUrl: string },
): IssueDraft {
  const { id, message, category, rating, sentiment, priority, page } = feedback;
  const fence = '`'.repeat(Math.max(3, longestRun(message) + 1));
  const link = `${options.pagesUrl}/feedback/triage/${id}`;
  return {
    marker: `slipway-feedback: ${id}`,
    title: titleOf(message),
    body: [
      `${fence}text\n${message}\n${fence}`,
      [
        `Category: ${category}`,
        `Rating: ${rating} of 5${feedback.ratingInferred ? ' (guessed)' : ''}`,
        `Sentiment: ${sentiment}`,
        `Priority: ${priority}`,
        ...(page ? [`Page: \`${page.replace(/[`\r\n]/g, ' ')}\``] : []),
        `Feedback: ${link}`,
      ]
        .map(line => `- ${line}`)
        .join('\n'),
    ].join('\n\n'),
  };
}

/** The first line, without what a tracker would take for a mention or a reference. */
function titleOf(message: string): string {
  const [line] = message.trim().split(/[\r\n]/, 1);
  const plain = line.replace(/([@#])(?=\w)/g, '$1\u200b').trim();
  const characters = [...plain];
  return characters.length > TITLE_LENGTH
    ? `${characters
        .slice(0, TITLE_LENGTH - 1)
        .join('')
        .trimEnd()}…`
    : plain;
}

function longestRun(message: string): number {
  return (message.match(/`+/g) ?? []).reduce(
    (longest, run) => Math.max(longest, run.length),
    0,
  );
}

/** Words the webhook `feedback.tracker_issue_created`, as the contract has it. */
export function issueCreatedEvent(
  feedback: Feedback,
  options: { issue: TrackedIssue; now: number },
): { name: string; payload: object } {
  const { id, rating, category, message } = feedback;
  const { number, url, title } = options.issue;
  const name = 'feedback.tracker_issue_created';
  return {
    name,
    payload: {
      event: name,
      timestamp: new Date(options.now).toISOString(),
      feedback: { id, rating, category, message },
      tracker_issue: { number, url, title },
    },
  };
}
