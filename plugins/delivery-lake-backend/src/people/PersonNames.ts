import { LakeEvent } from '../events/LakeEvent';

/** Replaces a person's name within a text. */
const PLACEHOLDER = '…';

/**
 * The names of a person: full names, email addresses and logins. Case is ignored. A login is only
 * recognised in texts that consist of it, in mentions and in trailers, since it may be a common
 * word: `@max`, `Reviewed-by: max`.
 */
export class PersonNames {
  readonly #names: ReadonlySet<string>;
  /** Matches the first name within a text. */
  readonly #first: RegExp;
  /** Matches every name within a text. */
  readonly #every: RegExp;

  constructor(names: readonly string[]) {
    this.#names = new Set(names.map(plain));
    const source = [...this.#names].map(patternOf).join('|');
    this.#first = new RegExp(source, 'iu');
    this.#every = new RegExp(source, 'giu');
  }

  /** Returns whether a value, or any text within it, contains one of the names. */
  isIn(value: unknown): boolean {
    if (typeof value === 'string') {
      return this.#isName(value) || this.#first.test(value);
    }
    return typeof value === 'object' && value !== null
      ? Object.values(value).some(each => this.isIn(each))
      : false;
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

  /** Empties a field with a name. It is not removed, because earlier events would then decide. */
  #person(field: string | undefined): string | undefined {
    return field !== undefined && this.isIn(field) ? '' : field;
  }

  #text(text: string | undefined): string | undefined {
    return text?.replace(this.#every, PLACEHOLDER);
  }

  /** Returns whether a text is one of the names, or one with an email address, as in Git. */
  #isName(text: string): boolean {
    const at = text.lastIndexOf('<');
    const parts =
      at === -1
        ? [text]
        : [text.slice(0, at), text.slice(at + 1).replace('>', '')];
    return parts.some(part => this.#names.has(plain(part)));
  }
}

function plain(name: string): string {
  return name.trim().normalize('NFC').toLocaleLowerCase('en-US');
}

/** Returns the pattern of a name within a text. */
function patternOf(name: string): string {
  const words = name
    .split(/\s+/)
    .map(word => word.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`));
  const start =
    words.length > 1 || name.includes('@')
      ? String.raw`(?<![\p{L}\p{N}])`
      : String.raw`(?<=@|-by:[ \t]{0,3})`;
  return String.raw`${start}${words.join(String.raw`\s+`)}(?![\p{L}\p{N}])`;
}
