import path from 'node:path';

/** A value that conditions compare. */
type Value = string | boolean;

/** The facts about a build that a condition can use, by name. */
export type ConditionFacts = Readonly<Record<string, Value>>;

/** Thrown for an invalid condition; the message is the end of a sentence. */
export class ConditionError extends Error {
  override readonly name = 'ConditionError';
}

type Evaluate = (facts: ConditionFacts) => Value;

const TOKEN =
  /\s*(?:(==|!=|=~|&&|\|\||[!()[\],])|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([A-Za-z_][\w.]*))/y;
const MAX_LENGTH = 1_000;

interface Token {
  kind: 'sign' | 'text' | 'name' | 'end';
  value: string;
}

class ConditionParser {
  readonly #tokens: Token[];
  readonly #names: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(tokens: Token[], names: readonly string[]) {
    this.#tokens = tokens;
    this.#names = names;
  }

  read(): Evaluate {
    const evaluate = this.#either();
    if (this.#next.kind !== 'end') {
      throw this.#unexpected();
    }
    return evaluate;
  }

  get #next(): Token {
    return this.#tokens[this.#at];
  }

  #take(sign: string): boolean {
    const isThere = this.#next.kind === 'sign' && this.#next.value === sign;
    this.#at += isThere ? 1 : 0;
    return isThere;
  }

  #expect(sign: string): void {
    if (!this.#take(sign)) {
      throw this.#unexpected();
    }
  }

  #unexpected(): ConditionError {
    return new ConditionError(`does not go on with ${this.#next.value}`);
  }

  #either(): Evaluate {
    let left = this.#both();
    while (this.#take('||')) {
      const [one, other] = [left, this.#both()];
      left = facts => isTrue(one(facts)) || isTrue(other(facts));
    }
    return left;
  }

  #both(): Evaluate {
    let left = this.#comparison();
    while (this.#take('&&')) {
      const [one, other] = [left, this.#comparison()];
      left = facts => isTrue(one(facts)) && isTrue(other(facts));
    }
    return left;
  }

  #comparison(): Evaluate {
    const left = this.#operand();
    if (this.#take('==')) {
      const right = this.#operand();
      return facts => left(facts) === right(facts);
    }
    if (this.#take('!=')) {
      const right = this.#operand();
      return facts => left(facts) !== right(facts);
    }
    if (this.#take('=~')) {
      const glob = this.#text();
      return facts => path.posix.matchesGlob(String(left(facts)), glob);
    }
    if (this.#next.kind === 'name' && this.#next.value === 'in') {
      this.#at += 1;
      const list = this.#list();
      return facts => list.includes(String(left(facts)));
    }
    return left;
  }

  #operand(): Evaluate {
    if (this.#take('!')) {
      const inner = this.#operand();
      return facts => !isTrue(inner(facts));
    }
    if (this.#take('(')) {
      this.#depth += 1;
      if (this.#depth > 20) {
        throw new ConditionError('has too many brackets');
      }
      const inner = this.#either();
      this.#expect(')');
      return inner;
    }
    const { kind, value } = this.#next;
    if (kind === 'text') {
      return (
        text => () =>
          text
      )(this.#text());
    }
    if (kind !== 'name') {
      throw this.#unexpected();
    }
    this.#at += 1;
    if (value === 'true' || value === 'false') {
      return () => value === 'true';
    }
    if (!value.startsWith('parameters.') && !this.#names.includes(value)) {
      throw new ConditionError(
        `asks for ${value}; there is ${this.#names.join(', ')}`,
      );
    }
    return facts => (Object.hasOwn(facts, value) ? facts[value] : '');
  }

  #text(): string {
    const { kind, value } = this.#next;
    if (kind !== 'text') {
      throw this.#unexpected();
    }
    this.#at += 1;
    return value;
  }

  #list(): string[] {
    this.#expect('[');
    const texts = [this.#text()];
    while (this.#take(',')) {
      texts.push(this.#text());
    }
    this.#expect(']');
    return texts;
  }
}

/**
 * The condition of a step: names of facts, quoted texts, `true` and `false`, combined
 * with `==`, `!=`, `=~` (a glob), `in [...]`, `!`, `&&`, `||` and parentheses. It has no
 * function calls, and its text never becomes part of a script.
 */
export class Condition {
  readonly #evaluate: Evaluate;

  /**
   * @param names - known facts; those that begin with `parameters.` are always allowed.
   * @throws ConditionError
   */
  constructor(text: string, names: readonly string[]) {
    if (text.length > MAX_LENGTH) {
      throw new ConditionError(`is longer than ${MAX_LENGTH} characters`);
    }
    this.#evaluate = new ConditionParser(tokensOf(text), names).read();
  }

  isMet(facts: ConditionFacts): boolean {
    return isTrue(this.#evaluate(facts));
  }
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.trimEnd().length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match) {
      throw new ConditionError(
        `has something else than a name, a text or an operator at character ${at + 1}`,
      );
    }
    const [, sign, single, double, name] = match;
    const quoted = single ?? double;
    if (sign !== undefined) {
      tokens.push({ kind: 'sign', value: sign });
    } else if (quoted !== undefined) {
      tokens.push({ kind: 'text', value: quoted.replace(/\\(.)/g, '$1') });
    } else {
      tokens.push({ kind: 'name', value: name });
    }
  }
  return [...tokens, { kind: 'end', value: 'the end' }];
}

function isTrue(value: Value): boolean {
  return value === true || (value !== '' && value !== false);
}
