import { LakeEvent } from '../events/LakeEvent';

/** Replaces a person's name within a text. */
const PLACEHOLDER = '…';

/** Maximum length of the key of a field; longer ones, which senders choose, are shortened. */
const MAX_FIELD = 100;

/** A field whose whole text is a login, which may mean something else, such as a branch. */
export interface LoginField {
  login: string;
  /** The key of the field, or of the list that contains it; empty for a value without a key. */
  field: string;
}

/** The ways in which the texts within a value name a person. */
interface NamedBy {
  /** True for a full name, an address, or a login that must mean a user. */
  isNamed: boolean;
  fields: LoginField[];
}

/**
 * The names of a person: full names, email addresses and logins. Case is ignored. Because a login
 * may be a common word, it is only recognised where a text must mean a user: a text that consists
 * of it, a mention, a trailer, an entity ref, or the address that a forge gives its user. Examples:
 * `@max`, `[~max]`, `Reviewed-by: max`, `user:default/max`, `7+max@users.noreply.github.com`.
 */
export class PersonNames {
  readonly #names: ReadonlySet<string>;
  readonly #logins: ReadonlySet<string>;
  /** Matches the first name within a text. */
  readonly #first: RegExp;
  /** Matches every name within a text. */
  readonly #every: RegExp;

  constructor(names: readonly string[]) {
    const given = names.map(name => unified(name).replace(/^@/, ''));
    this.#names = new Set(given.map(plain));
    this.#logins = new Set(given.filter(isLogin).map(plain));
    const source = patternOf(given);
    this.#first = new RegExp(source, 'iu');
    this.#every = new RegExp(source, 'giu');
  }

  /** Returns whether a value, or any text within it, contains one of the names. */
  isIn(value: unknown): boolean {
    return !this.#textsIn(value).next().done;
  }

  /** Finds how the texts within a value use the names. */
  usesIn(value: unknown): NamedBy {
    const fields = new Map<string, LoginField>();
    let isNamed = false;
    for (const { field, text } of this.#textsIn(value)) {
      const login = plain(text);
      if (this.#logins.has(login)) {
        fields.set(`${login} ${field}`, { login, field });
      } else {
        isNamed = true;
      }
    }
    return { isNamed, fields: [...fields.values()] };
  }

  /** Finds the texts within a value that contain one of the names, with the keys of their fields. */
  *#textsIn(value: unknown): Generator<{ field: string; text: string }> {
    // Without recursion, because bodies may be nested more deeply than the call stack allows.
    const rest: { field: string; one: unknown }[] = [{ field: '', one: value }];
    while (rest.length > 0) {
      const { field, one } = rest.pop()!;
      if (typeof one === 'string' && this.#isInText(one)) {
        yield { field: field.slice(0, MAX_FIELD), text: one };
      }
      if (typeof one === 'object' && one !== null) {
        for (const [key, member] of Object.entries(one)) {
          rest.push({ field: Array.isArray(one) ? field : key, one: member });
        }
      }
    }
  }

  /** Returns an event without the names: fields that name a person become empty. */
  removeFrom(event: LakeEvent): LakeEvent {
    switch (event.kind) {
      case 'change':
        return { ...event, ...this.#withoutAuthor(event) };
      case 'deployment':
        return {
          ...event,
          triggeredBy: this.#person(event.triggeredBy),
          commit: event.commit && {
            ...event.commit,
            ...this.#withoutAuthor(event.commit),
          },
        };
      default:
        return { ...event, title: this.#text(event.title) };
    }
  }

  #withoutAuthor(commit: { author?: string; message?: string }) {
    return {
      author: this.#person(commit.author),
      message: this.#text(commit.message),
    };
  }

  /**
   * Empties a field that contains a name. If it were removed, an earlier event would set its value.
   */
  #person(field: string | undefined): string | undefined {
    return field !== undefined && this.isIn(field) ? '' : field;
  }

  #text(text: string | undefined): string | undefined {
    if (text === undefined || !this.#isInText(text)) {
      return text;
    }
    return this.#names.has(plain(text))
      ? PLACEHOLDER
      : text.normalize('NFC').replace(this.#every, PLACEHOLDER);
  }

  #isInText(text: string): boolean {
    return this.#isName(text) || this.#first.test(text.normalize('NFC'));
  }

  /** Returns whether a text is one of the names, or a name with an email address, as in Git. */
  #isName(text: string): boolean {
    const at = text.lastIndexOf('<');
    const parts =
      at === -1
        ? [text]
        : [text.slice(0, at), text.slice(at + 1).replace('>', '')];
    return parts.some(part => this.#names.has(plain(part)));
  }
}

/** Normalizes a text to a single Unicode form, so that accented letters compare equal. */
function unified(name: string): string {
  return name.trim().normalize('NFC');
}

function plain(name: string): string {
  return unified(name).toLocaleLowerCase('en-US');
}

function isFull(name: string): boolean {
  return /\s/.test(name);
}

/** Returns whether a name is an email address or an entity ref. */
function isKey(name: string): boolean {
  return !isFull(name) && /[@/:]/.test(name);
}

function isLogin(name: string): boolean {
  return !isFull(name) && !isKey(name);
}

/** Word boundaries, so that no part of a longer word matches. */
const WORD_START = String.raw`(?<![\p{L}\p{M}\p{N}])`;
const WORD_END = String.raw`(?![\p{L}\p{M}\p{N}])`;
/**
 * Boundaries of logins, addresses and refs, so that no part of a longer one matches, such as
 * `max-m`, `x.max@example.org` or `@max.org`.
 */
const KEY_START = String.raw`(?<![\p{L}\p{N}._%+-])`;
const KEY_END = String.raw`(?![\p{L}\p{N}_]|[.-][\p{L}\p{N}])`;

/**
 * Returns a pattern that matches names within a text. It has few alternatives, because each is
 * tried at every position.
 */
function patternOf(names: readonly string[]): string {
  const logins = oneOf(names.filter(isLogin));
  return [
    [WORD_START, oneOf(names.filter(isFull)), WORD_END],
    [KEY_START, oneOf(names.filter(isKey)), KEY_END],
    [String.raw`(?<=${KEY_START}@|\[~|user:[\w.-]{1,63}/)`, logins, KEY_END],
    [
      String.raw`(?<=-by:[ \t]{0,3})`,
      logins,
      String.raw`(?=[ \t]*(?:[\r\n<(,;]|$))`,
    ],
    [
      String.raw`${KEY_START}(?:\d+[+-])?`,
      logins,
      String.raw`@users\.noreply\.[\p{L}\p{N}.-]*[\p{L}\p{N}]`,
    ],
  ]
    .flatMap(([before, group, after]) =>
      group === undefined ? [] : [`${before}${group}${after}`],
    )
    .join('|');
}

/** Returns a pattern that matches any of these names literally; undefined if there are none. */
function oneOf(names: readonly string[]): string | undefined {
  const patterns = names.map(name =>
    name
      .split(/\s+/)
      .map(word => word.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
      .join(String.raw`\s+`),
  );
  return patterns.length > 0 ? `(?:${patterns.join('|')})` : undefined;
}
