/** What somebody wants of the bot. */
export type Input =
  | { kind: 'status' }
  | { kind: 'help' }
  | { kind: 'feedback'; message: string }
  | { kind: 'tooLong'; length: number };

const MAXIMUM_LENGTH = 10_000;

/** How the bot is called where no platform has a name of its own for it. */
const MENTION = /^@feedback(?=[\s:,.!?]|$)[:,]?/i;

/**
 * Reads a message; its mention, which platforms have taken off, is taken off here where
 * they have not. A command is the whole message: "status page is
 * down" is feedback. Nothing at all asks for help. U+0000, which no database keeps in a text,
 * is left out.
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
 * The text without the punctuation at its end. Reads backwards, as an expression that is
 * anchored at the end alone takes quadratic time for a text full of punctuation.
 */
function withoutEndMarks(text: string): string {
  let end = text.length;
  while (end > 0 && '.!?'.includes(text[end - 1])) {
    end -= 1;
  }
  return text.slice(0, end);
}
