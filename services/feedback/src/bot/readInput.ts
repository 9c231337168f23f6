/** A user's request to the bot. */
export type Input =
  | { kind: 'status' }
  | { kind: 'help' }
  | { kind: 'feedback'; message: string }
  | { kind: 'tooLong'; length: number };

const MAXIMUM_LENGTH = 10_000;

/** Matches the bot's default name, for platforms where it has no name of its own. */
const MENTION = /^@feedback(?=[\s:,.!?]|$)[:,]?/i;

/**
 * Parses a message. Removes the mention if the platform has not done so. A command must be the
 * whole message: "status page is down" is feedback. An empty message asks for help. U+0000, which
 * no database can store in a text, is removed.
 */
export function readInput(text: string): Input {
  const message = text.replaceAll('\0', '').trim().replace(MENTION, '').trim();
  const command = withoutEndMarks(message.toLowerCase().replace(/^\//, ''));
  if (command === 'status') {
    return { kind: 'status' };
  }
  if (command === 'help' || command === '') {
    return { kind: 'help' };
  }
  const { length } = [...message];
  return length > MAXIMUM_LENGTH
    ? { kind: 'tooLong', length }
    : { kind: 'feedback', message };
}

/**
 * Removes punctuation at the end of a text. Reads backwards, as a regular expression anchored only
 * at the end takes quadratic time for a text full of punctuation.
 */
function withoutEndMarks(text: string): string {
  let end = text.length;
  while (end > 0 && '.!?'.includes(text[end - 1])) {
    end -= 1;
  }
  return text.slice(0, end);
}
