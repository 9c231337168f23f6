import type { BuildSource, StartedBuild } from '../builds/Build.ts';
import { globFault, matchesGlob } from './globs.ts';

/** A value that conditions compare. */
type Value = string | boolean;

/** The facts about a build that a condition can use, by name. */
export type ConditionFacts = Readonly<Record<string, Value>>;

/** The facts that conditions can use, in addition to `parameters.NAME`. */
export const CONDITION_FACTS = [
  'branch',
  'tag',
  'ref',
  'event',
  'base',
  'pullRequest',
  'fork',
] as const;

/** Returns the facts of a build, and of what it has checked out, that conditions can use. */
export function factsOf(
  { kind, parameters }: StartedBuild,
  source: BuildSource | null,
): ConditionFacts {
  const { ref = '', pullRequest } = source ?? {};
  const after = (prefix: string) =>
    ref.startsWith(prefix) ? ref.slice(prefix.length) : '';
  return {
    ref,
    branch: pullRequest?.branch ?? after('refs/heads/'),
    tag: after('refs/tags/'),
    event: kind,
    base: pullRequest?.base ?? '',
    pullRequest: pullRequest !== undefined,
    fork: pullRequest?.isFork ?? false,
    ...Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [
        `parameters.${name}`,
        value,
      ]),
    ),
  };
}

/** Thrown for an invalid condition; the message is the end of a sentence. */
export class ConditionError extends Error {
  override readonly name = 'ConditionError';
}

/** What is known about a build when a condition is evaluated. */
interface Known {
  facts: ConditionFacts;
  /** The {@link Condition.globs} that match changed files; undefined if the changes are unknown. */
  changed: ReadonlySet<string> | undefined;
}

type Evaluate = (known: Known) => Value;

/** The name of the function that checks for changed files: `changed('packages/cart/**')`. */
const CHANGED = 'changed';

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
  /** The globs of all calls of {@link CHANGED}. */
  readonly globs: string[] = [];

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
    return new ConditionError(`has an unexpected ${this.#next.value}`);
  }

  #either(): Evaluate {
    let left = this.#both();
    while (this.#take('||')) {
      const [one, other] = [left, this.#both()];
      left = known => isTrue(one(known)) || isTrue(other(known));
    }
    return left;
  }

  #both(): Evaluate {
    let left = this.#comparison();
    while (this.#take('&&')) {
      const [one, other] = [left, this.#comparison()];
      left = known => isTrue(one(known)) && isTrue(other(known));
    }
    return left;
  }

  #comparison(): Evaluate {
    const left = this.#operand();
    if (this.#take('==')) {
      const right = this.#operand();
      return known => left(known) === right(known);
    }
    if (this.#take('!=')) {
      const right = this.#operand();
      return known => left(known) !== right(known);
    }
    if (this.#take('=~')) {
      const glob = this.#text();
      assertBounded(glob);
      return known => matchesGlob(String(left(known)), glob);
    }
    if (this.#next.kind === 'name' && this.#next.value === 'in') {
      this.#at += 1;
      const list = this.#list('[', ']');
      return known => list.includes(String(left(known)));
    }
    return left;
  }

  #operand(): Evaluate {
    if (this.#take('!')) {
      const inner = this.#operand();
      return known => !isTrue(inner(known));
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
    if (value === CHANGED) {
      return this.#changed();
    }
    if (!value.startsWith('parameters.') && !this.#names.includes(value)) {
      throw new ConditionError(
        `uses the unknown name ${value}; known are ${this.#names.join(', ')} and ${CHANGED}('...')`,
      );
    }
    return ({ facts }) => (Object.hasOwn(facts, value) ? facts[value] : '');
  }

  #text(): string {
    const { kind, value } = this.#next;
    if (kind !== 'text') {
      throw this.#unexpected();
    }
    this.#at += 1;
    return value;
  }

  /**
   * Parses the arguments of {@link CHANGED}. If the changes are unknown, all files count as
   * changed: running an unnecessary step is better than skipping a necessary one.
   */
  #changed(): Evaluate {
    const globs = this.#list('(', ')');
    globs.forEach(assertBounded);
    this.globs.push(...globs);
    return ({ changed }) => globs.some(glob => changed?.has(glob) ?? true);
  }

  #list(begin: string, end: string): string[] {
    this.#expect(begin);
    const texts = [this.#text()];
    while (this.#take(',')) {
      texts.push(this.#text());
    }
    this.#expect(end);
    return texts;
  }
}

/**
 * The condition of a step: names of facts, quoted texts, `true` and `false`, combined
 * with `==`, `!=`, `=~` (a glob), `in [...]`, `!`, `&&`, `||` and parentheses, and
 * `changed('glob', ...)` for files that the commits changed. Its text never becomes part of a script.
 */
export class Condition {
  readonly #evaluate: Evaluate;
  /** The globs of all calls of `changed`; empty if there are none. */
  readonly globs: readonly string[];

  /**
   * @param names - known facts; those that begin with `parameters.` are always allowed.
   * @throws ConditionError
   */
  constructor(text: string, names: readonly string[]) {
    if (text.length > MAX_LENGTH) {
      throw new ConditionError(`is longer than ${MAX_LENGTH} characters`);
    }
    const parser = new ConditionParser(tokensOf(text), names);
    this.#evaluate = parser.read();
    this.globs = parser.globs;
  }

  /**
   * @param changed - the {@link globs} that match changed files; undefined if the changes are
   * unknown.
   */
  isMet(facts: ConditionFacts, changed?: ReadonlySet<string>): boolean {
    return isTrue(this.#evaluate({ facts, changed }));
  }
}

/** @throws ConditionError if matching the glob could take very long. */
function assertBounded(glob: string): void {
  const fault = globFault(glob);
  if (fault !== undefined) {
    throw new ConditionError(`has the glob ${glob}, which ${fault}`);
  }
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.trimEnd().length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match) {
      throw new ConditionError(
        `has an unexpected character at position ${at + 1}: expected a name, a string or an operator`,
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
