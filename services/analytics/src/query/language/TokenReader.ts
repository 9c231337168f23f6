import { InvalidRequestError } from '@slipway/service-kit';

/**
 * A token of an expression. `text` is unquoted; a backslash that escapes neither a quote
 * nor a backslash is kept, for the patterns of `like`.
 */
export type Token = {
  /** The position of its first character, from 0. */ readonly at: number;
} & (
  | { readonly kind: 'word'; readonly text: string; readonly quoted: boolean }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'sign'; readonly text: string }
);

const LONGEST = 2_000;

// One alternative per kind of token; the flag y continues at the end of the last match. The
// sign `/` does not match the start of a comment: without its end, every `/*` in the text
// would search for it again.
const PATTERN =
  /\s+|--[^\n]*|\/\*.*?\*\/|(?<word>[A-Za-z_$][\w$]*)|(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|'(?<text>(?:[^'\\]|\\.|'')*)'|"(?<named>[^"\\]+)"|`(?<ticked>[^`\\]+)`|(?<sign><=|>=|!=|<>|==|=~|!~|\|\||::|\/(?!\*)|[=<>().,*[\]+%?:{}-])/suy;

/**
 * Splits an expression into tokens: words, values and symbols.
 * @param field - the field of the request, for errors.
 * @throws InvalidRequestError if it contains anything else, or is too long.
 */
function tokenize(source: string, field: string, longest: number): Token[] {
  if (source.length > longest) {
    throw new InvalidRequestError(
      `${field} is longer than ${longest} characters`,
      { field, constraint: 'maxLength' },
    );
  }
  const tokens: Token[] = [];
  for (let at = 0; at < source.length;) {
    PATTERN.lastIndex = at;
    const match = PATTERN.exec(source);
    if (!match) {
      throw new InvalidRequestError(
        `${field} cannot be parsed at character ${at + 1}, at '${source.slice(at, at + 20)}'`,
        { field, constraint: 'format' },
      );
    }
    const start = at;
    at = PATTERN.lastIndex;
    const { word, named, ticked, number, text, sign } = match.groups!;
    const name = word ?? named ?? ticked;
    if (name !== undefined) {
      const quoted = word === undefined;
      tokens.push({ at: start, kind: 'word', text: name, quoted });
    } else if (number !== undefined) {
      tokens.push({ at: start, kind: 'number', value: Number(number) });
    } else if (text !== undefined) {
      tokens.push({ at: start, kind: 'text', text: unescape(text) });
    } else if (sign !== undefined) {
      tokens.push({ at: start, kind: 'sign', text: sign });
    }
  }
  return tokens;
}

/**
 * Resolves `''` and `\'` to a quote, and a double backslash to a single one. Other
 * backslashes are kept, since LIKE patterns interpret them.
 */
function unescape(text: string): string {
  return text.replace(/''|\\(['\\])/g, (_match, escaped?: string) =>
    escaped === '\\' ? '\\' : "'",
  );
}

/** Reads the tokens of one expression in order. */
export class TokenReader {
  readonly #field: string;
  readonly #tokens: readonly Token[];
  readonly #source: string;
  #at = 0;

  /** @param field - of the request, for errors. */
  constructor(source: string, field: string, longest = LONGEST) {
    this.#field = field;
    this.#source = source;
    this.#tokens = tokenize(source, field, longest);
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  /** The position of the next token, for {@link goTo}. */
  get place(): number {
    return this.#at;
  }

  goTo(place: number): void {
    this.#at = place;
  }

  /** Returns the source text from a position up to the next token. */
  writtenSince(place: number): string {
    const end = this.#tokens[this.#at]?.at ?? this.#source.length;
    return this.#source.slice(this.#tokens[place]?.at ?? end, end).trim();
  }

  peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#at + ahead];
  }

  next(): Token | undefined {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    return token;
  }

  /** Consumes the next token if it is one of these symbols. */
  takeSign(...signs: readonly string[]): string | undefined {
    const token = this.peek();
    if (token?.kind === 'sign' && signs.includes(token.text)) {
      this.#at += 1;
      return token.text;
    }
    return undefined;
  }

  /** Consumes the next token if it is this word, ignoring case. */
  takeWord(word: string, ahead = 0): boolean {
    if (this.isWord(word, ahead)) {
      this.#at += 1 + ahead;
      return true;
    }
    return false;
  }

  isWord(word: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return (
      token?.kind === 'word' &&
      !token.quoted &&
      token.text.toLowerCase() === word
    );
  }

  isSign(sign: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token?.kind === 'sign' && token.text === sign;
  }

  /**
   * Skips past the next occurrence of a word outside of brackets.
   * @returns false if there is none; then all tokens are consumed.
   * @throws InvalidRequestError naming a bracket that is not closed.
   */
  skipPast(word: string): boolean {
    const open: number[] = [];
    let isMember = false;
    while (!this.isAtEnd) {
      // `properties.from` names a property.
      if (open.length === 0 && !isMember && this.takeWord(word)) {
        return true;
      }
      const { place } = this;
      const token = this.next();
      isMember = token?.kind === 'sign' && token.text === '.';
      if (token?.kind === 'sign' && '([{'.includes(token.text)) {
        open.push(place);
      } else if (token?.kind === 'sign' && ')]}'.includes(token.text)) {
        open.pop();
      }
    }
    const unclosed = open.at(-1);
    if (unclosed !== undefined) {
      throw this.faultAt(unclosed, 'opens a bracket that is not closed');
    }
    return false;
  }

  expectSign(sign: string): void {
    if (!this.takeSign(sign)) {
      throw this.fault(`needs '${sign}'`);
    }
  }

  expectKeyword(word: string): void {
    if (!this.takeWord(word)) {
      throw this.fault(`needs ${word.toUpperCase()}`);
    }
  }

  expectWord(): string {
    const token = this.next();
    if (token?.kind !== 'word') {
      throw this.faultBefore('needs a name');
    }
    return token.text;
  }

  expectEnd(): void {
    if (!this.isAtEnd) {
      throw this.fault('must end here');
    }
  }

  /**
   * Returns a 400 error that names the field and the position of the next token.
   * @param what - the problem, such as `needs ')'`.
   */
  fault(what: string): InvalidRequestError {
    return this.#faultAt(what, this.peek());
  }

  /** Returns a 400 error that names the field and the position of the last consumed token. */
  faultBefore(what: string): InvalidRequestError {
    return this.#faultAt(what, this.#tokens[this.#at - 1]);
  }

  /** Returns a 400 error that names the field and the position of the token at a {@link place}. */
  faultAt(place: number, what: string): InvalidRequestError {
    return this.#faultAt(what, this.#tokens[place]);
  }

  #faultAt(what: string, token: Token | undefined): InvalidRequestError {
    const place = token
      ? `at character ${token.at + 1}: ${describe(token)}`
      : 'at its end';
    return new InvalidRequestError(`${this.#field} ${what} (${place})`, {
      field: this.#field,
      constraint: 'format',
    });
  }
}

function describe(token: Token): string {
  return token.kind === 'number' ? String(token.value) : `'${token.text}'`;
}
