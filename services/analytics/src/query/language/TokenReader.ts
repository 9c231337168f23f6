import { InvalidRequestError } from '@slipway/service-kit';

/**
 * A piece of an expression. `text` is without its quotes; a backslash that escapes
 * neither a quote nor another stays in it, for the patterns of `like`.
 */
export type Token = {
  /** The position of its first character, from 0. */ readonly at: number;
} & (
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'sign'; readonly text: string }
);

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
function tokenize(source: string, field: string): Token[] {
  if (source.length > LONGEST) {
    throw new InvalidRequestError(
      `${field} is longer than ${LONGEST} characters`,
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
    const { word, number, text, sign } = match.groups!;
    if (word !== undefined) {
      tokens.push({ at: start, kind: 'word', text: word });
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
 * `''` and `\'` are a quote. A backslash stays before anything else but another: the
 * patterns of LIKE read it again.
 */
function unescape(text: string): string {
  return text.replace(/''|\\(['\\])/g, (_match, escaped?: string) =>
    escaped === '\\' ? '\\' : "'",
  );
}

/** Reads the tokens of one expression, one after the other. */
export class TokenReader {
  readonly #field: string;
  readonly #tokens: readonly Token[];
  #at = 0;

  /** @param field - of the request, for errors. */
  constructor(source: string, field: string) {
    this.#field = field;
    this.#tokens = tokenize(source, field);
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#at + ahead];
  }

  next(): Token | undefined {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    return token;
  }

  /** Takes one of these signs where it is next. */
  takeSign(...signs: readonly string[]): string | undefined {
    const token = this.peek();
    if (token?.kind === 'sign' && signs.includes(token.text)) {
      this.#at += 1;
      return token.text;
    }
    return undefined;
  }

  /** Takes a word where it is next, in any case. */
  takeWord(word: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    if (token?.kind === 'word' && token.text.toLowerCase() === word) {
      this.#at += 1 + ahead;
      return true;
    }
    return false;
  }

  expectSign(sign: string): void {
    if (!this.takeSign(sign)) {
      throw this.fault(`needs '${sign}'`);
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
      throw this.fault('must end');
    }
  }

  /**
   * A 400 that names the field, and where in it: at what comes next.
   *
   * @param what - is wrong, as in `needs ')'`.
   */
  fault(what: string): InvalidRequestError {
    return this.#faultAt(what, this.peek());
  }

  /** A 400 that names the field, and where in it: at what was taken last. */
  faultBefore(what: string): InvalidRequestError {
    return this.#faultAt(what, this.#tokens[this.#at - 1]);
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
