import { InvalidRequestError } from '@slipway/service-kit';
import { type Token, tokenize } from './tokenize.ts';

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
      throw this.fault('needs a name');
    }
    return token.text;
  }

  expectEnd(): void {
    if (!this.isAtEnd) {
      throw this.fault(`goes on with ${describe(this.peek())} where it ends`);
    }
  }

  /** A 400 that names the field. */
  fault(what: string): InvalidRequestError {
    return new InvalidRequestError(`${this.#field} ${what}`, {
      field: this.#field,
      constraint: 'format',
    });
  }
}

function describe(token: Token | undefined): string {
  if (token === undefined) {
    return 'nothing';
  }
  return token.kind === 'number' ? String(token.value) : `'${token.text}'`;
}
