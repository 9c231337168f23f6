import { InvalidRequestError } from '@slipway/service-kit';

/**
 * A piece of an expression. `text` is without its quotes; a backslash that escapes
 * neither a quote nor another stays in it, for the patterns of `like`.
 */
export type Token =
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'sign'; readonly text: string };

const LONGEST = 2_000;

// One alternative for each kind; the flag y keeps the match where the last one ended.
const PATTERN =
  /\s+|(?<word>[A-Za-z_$][\w$]*)|(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|'(?<text>(?:[^'\\]|\\.|'')*)'|(?<sign><=|>=|!=|<>|==|[=<>().,*[\]-])/suy;

/**
 * Cuts an expression into words, values and signs.
 *
 * @param field - of the request, for the error.
 * @throws InvalidRequestError where something is none of them.
 */
export function tokenize(source: string, field: string): Token[] {
  if (source.length > LONGEST) {
    throw new InvalidRequestError(
      `${field} is longer than ${LONGEST} characters`,
      { field, constraint: 'maxLength' },
    );
  }
  const tokens: Token[] = [];
  for (let at = 0; at < source.length; ) {
    PATTERN.lastIndex = at;
    const match = PATTERN.exec(source);
    if (!match) {
      throw new InvalidRequestError(
        `${field} cannot be read from '${source.slice(at, at + 20)}' on`,
        { field, constraint: 'format' },
      );
    }
    at = PATTERN.lastIndex;
    const { word, number, text, sign } = match.groups!;
    if (word !== undefined) {
      tokens.push({ kind: 'word', text: word });
    } else if (number !== undefined) {
      tokens.push({ kind: 'number', value: Number(number) });
    } else if (text !== undefined) {
      tokens.push({ kind: 'text', text: unescape(text) });
    } else if (sign !== undefined) {
      tokens.push({ kind: 'sign', text: sign });
    }
  }
  return tokens;
}

/**
 * `''` and `\'` are a quote. A backslash stays before anything else but another: the
 * patterns of LIKE read it again.
 */
function unescape(text: string): string {
  return text.replace(/''|\\(['\\])/g, (_match, escaped?: string) =>
    escaped === '\\' ? '\\' : "'",
  );
}
