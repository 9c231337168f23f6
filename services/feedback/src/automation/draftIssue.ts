import type { Feedback } from '../feedback/Feedback.ts';
import type { IssueDraft } from './Tracker.ts';

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
