const MASK = '****';

/** Masking shorter strings would hide ordinary text. */
const MIN_LENGTH = 8;

/** Number of bytes at the start of a form by which it is looked up; at most {@link MIN_LENGTH}. */
const START = 4;

const HASHES = 2 ** 16;

/**
 * The forms of some secrets, one character per byte, so that output need not be text. Forms are
 * looked up by their starts: keys have hundreds of forms, programs write line by line, and a
 * regular expression of that size takes long to compile and to match.
 */
class Forms {
  /** Bytes of the longest; 0 if there is none. */
  readonly longest: number;
  /** The forms by their starts, longest first. */
  readonly #byStart = new Map<string, string[]>();
  /** 1 at the hash of each start; rules out most positions without a lookup. */
  readonly #hashes = new Uint8Array(HASHES);
  /** Prefixes of forms that are shorter than a start. */
  readonly #begins = new Set<string>();

  constructor(secrets: readonly string[]) {
    // As programs receive them: text that is not well-formed cannot be encoded.
    const given = secrets.map(secret => Buffer.from(secret).toString());
    const all = [...new Set(given.flatMap(formsOf).map(toBinary))].sort(
      (one, other) => other.length - one.length,
    );
    this.longest = all[0]?.length ?? 0;
    for (const form of all) {
      const start = form.slice(0, START);
      const list = this.#byStart.get(start);
      if (list) {
        list.push(form);
      } else {
        this.#byStart.set(start, [form]);
      }
      this.#hashes[hashAt(form, 0)] = 1;
      for (let length = 1; length < START; length += 1) {
        this.#begins.add(form.slice(0, length));
      }
    }
  }

  /** Finds the next form in a text, the longest if several begin there. */
  next(text: string, from: number): { index: number; end: number } | undefined {
    for (let at = from; at <= text.length - MIN_LENGTH; at += 1) {
      const form = this.#at(text, at)?.find(one => text.startsWith(one, at));
      if (form !== undefined) {
        return { index: at, end: at + form.length };
      }
    }
    return undefined;
  }

  /** Replaces all forms in a text. */
  replace(text: string, by: (length: number) => string): string {
    let done = '';
    let from = 0;
    for (let found = this.next(text, 0); found; found = this.next(text, from)) {
      done += text.slice(from, found.index) + by(found.end - found.index);
      from = found.end;
    }
    return done + text.slice(from);
  }

  /** Returns the length of a text's end that may be the start of a form. */
  openEnd(text: string): number {
    const most = Math.min(text.length, this.longest - 1);
    for (let at = text.length - most; at <= text.length - START; at += 1) {
      const isOpen = this.#at(text, at)?.some(
        form =>
          form.length > text.length - at && form.startsWith(text.slice(at)),
      );
      if (isOpen) {
        return text.length - at;
      }
    }
    for (let length = Math.min(most, START - 1); length > 0; length -= 1) {
      if (this.#begins.has(text.slice(-length))) {
        return length;
      }
    }
    return 0;
  }

  /** Returns the forms with the same start as the text at a position. */
  #at(text: string, at: number): readonly string[] | undefined {
    return this.#hashes[hashAt(text, at)] === 1
      ? this.#byStart.get(text.slice(at, at + START))
      : undefined;
  }
}

/** Returns a hash of the {@link START} bytes at a position. */
function hashAt(text: string, at: number): number {
  return (
    ((text.charCodeAt(at) << 12) ^
      (text.charCodeAt(at + 1) << 8) ^
      (text.charCodeAt(at + 2) << 4) ^
      text.charCodeAt(at + 3)) %
    HASHES
  );
}

/**
 * Replaces secrets with `****` in a stream of bytes. Besides the secret itself, it
 * recognizes each of its lines, what `echo` makes of it, its URL and JSON encodings, its hexadecimal
 * form, the reversed text, and its base64, in lines, alone or inside a longer encoded text. Other
 * encodings are not detected.
 */
export class SecretMask {
  readonly #forms: Forms;
  #held = '';

  constructor(secrets: readonly string[] | Forms) {
    this.#forms = secrets instanceof Forms ? secrets : new Forms(secrets);
  }

  /** Masks the next part; its end is buffered if it may be the start of a secret. */
  next(part: Buffer): Buffer {
    if (this.#forms.longest === 0) {
      return part;
    }
    const text = this.#held + part.toString('latin1');
    const { done, from } = this.#replace(text);
    const rest = text.slice(from);
    const kept = rest.length - this.#forms.openEnd(rest);
    this.#held = rest.slice(kept);
    return Buffer.from(done + rest.slice(0, kept), 'latin1');
  }

  /** Bytes of the longest form of a secret. */
  get longest(): number {
    return this.#forms.longest;
  }

  /**
   * Masks bytes without changing their number.
   *
   * @returns the masked bytes, and the number of bytes at the end that may be the start
   * of a secret.
   */
  veil(bytes: Buffer): { bytes: Buffer; open: number } {
    if (this.#forms.longest === 0) {
      return { bytes, open: 0 };
    }
    const text = this.#forms.replace(bytes.toString('latin1'), length =>
      '*'.repeat(length),
    );
    const open = this.#forms.openEnd(text);
    return { bytes: Buffer.from(text, 'latin1'), open };
  }

  /** Returns the buffered bytes at the end of the stream. */
  end(): Buffer {
    const held = this.#held;
    this.#held = '';
    return Buffer.from(this.#mask(held), 'latin1');
  }

  /** Returns the same mask for another stream, with an empty buffer. */
  again(): SecretMask {
    return new SecretMask(this.#forms);
  }

  /** Masks a whole text. */
  text(text: string): string {
    return fromBinary(this.#mask(toBinary(text)));
  }

  #mask(text: string): string {
    return this.#forms.replace(text, () => MASK);
  }

  /** Returns the masked text up to the end of its last secret, and the position of that end. */
  #replace(text: string): { done: string; from: number } {
    let done = '';
    let from = 0;
    for (
      let found = this.#forms.next(text, 0);
      found;
      found = this.#forms.next(text, from)
    ) {
      const { index, end } = found;
      const isAtEnd = end === text.length;
      if (isAtEnd && this.#forms.openEnd(text.slice(index)) === end - index) {
        // A longer secret may begin with this one.
        break;
      }
      done += text.slice(from, index) + MASK;
      from = end;
    }
    return { done, from };
  }
}

function formsOf(secret: string): string[] {
  const texts = [secret, echoed(secret)];
  const lines = texts
    .flatMap(text => text.split(/\r?\n/))
    .map(line => line.trim());
  const values = new Set([...texts, secret.trim(), ...lines]);
  return [...values]
    .flatMap(value => [
      value,
      encodeURIComponent(value),
      JSON.stringify(value).slice(1, -1),
      Buffer.from(value).toString('hex'),
      Buffer.from(value).toString('hex').toUpperCase(),
      Array.from(value).reverse().join(''),
      ...base64FormsOf(Buffer.from(value)),
    ])
    .concat(base64LinesOf(secret), base64LinesOf(`${secret}\n`))
    .filter(form => form.length >= MIN_LENGTH);
}

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ a: '\u0007', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
  '\\': '\\',
};

/** Returns what `echo` of most shells writes: keys in JSON contain `\n` for the ends of their lines. */
function echoed(text: string): string {
  return text.replace(/\\([abfnrtv\\])/g, (_, name: string) => ESCAPES[name]);
}

/** Returns the lines in which the program `base64` writes a secret. */
function base64LinesOf(secret: string): string[] {
  return (
    Buffer.from(secret)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  );
}

/**
 * Returns the base64 forms of a secret inside a longer text. Three bytes become four
 * characters, so there are three forms, without the characters shared with neighbouring
 * bytes.
 */
function base64FormsOf(value: Buffer): string[] {
  return [0, 1, 2].flatMap(before => {
    const padded = Buffer.concat([Buffer.alloc(before), value]);
    const first = Math.ceil((before * 4) / 3);
    const last = Math.floor((padded.length * 4) / 3);
    const inside = padded.toString('base64').slice(first, last);
    const whole = before === 0 ? [padded.toString('base64')] : [];
    return [inside, ...whole].flatMap(form => [
      form,
      form.replaceAll('+', '-').replaceAll('/', '_'),
    ]);
  });
}

function toBinary(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function fromBinary(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
}
