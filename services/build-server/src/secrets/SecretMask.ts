const MASK = '****';

/** Masking shorter strings would hide ordinary text. */
const MIN_LENGTH = 8;

/**
 * Replaces secrets with `****` in a stream of bytes. Besides the secret itself, it
 * recognizes each of its lines, what `echo` makes of it, its URL and JSON encodings, its hexadecimal
 * form, the reversed text, and its base64, in lines, alone or inside a longer encoded text. Other
 * encodings are not detected.
 */
export class SecretMask {
  readonly #forms: readonly string[];
  readonly #longest: number;
  readonly #pattern: RegExp | undefined;
  readonly #secrets: readonly string[];
  #held = '';

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
    // One character per byte, so that output need not be text.
    const forms = new Set(secrets.flatMap(formsOf).map(toBinary));
    this.#forms = [...forms].sort((one, other) => other.length - one.length);
    this.#longest = this.#forms[0]?.length ?? 0;
    this.#pattern =
      this.#forms.length > 0
        ? new RegExp(this.#forms.map(literally).join('|'), 'g')
        : undefined;
  }

  /** Masks the next part; its end is buffered if it may be the start of a secret. */
  next(part: Buffer): Buffer {
    if (!this.#pattern) {
      return part;
    }
    const text = this.#held + part.toString('latin1');
    const { done, from } = this.#replace(text);
    const rest = text.slice(from);
    const kept = rest.length - this.#openEnd(rest);
    this.#held = rest.slice(kept);
    return Buffer.from(done + rest.slice(0, kept), 'latin1');
  }

  /** Bytes of the longest form of a secret. */
  get longest(): number {
    return this.#longest;
  }

  /**
   * Masks bytes without changing their number.
   *
   * @returns the masked bytes, and the number of bytes at the end that may be the start
   * of a secret.
   */
  veil(bytes: Buffer): { bytes: Buffer; open: number } {
    if (!this.#pattern) {
      return { bytes, open: 0 };
    }
    const text = bytes
      .toString('latin1')
      .replace(this.#pattern, found => '*'.repeat(found.length));
    return { bytes: Buffer.from(text, 'latin1'), open: this.#openEnd(text) };
  }

  /** Returns the buffered bytes at the end of the stream. */
  end(): Buffer {
    const held = this.#held;
    this.#held = '';
    return Buffer.from(this.#mask(held), 'latin1');
  }

  /** Returns the same mask for another stream, with an empty buffer. */
  again(): SecretMask {
    return new SecretMask(this.#secrets);
  }

  /** Masks a whole text. */
  text(text: string): string {
    return fromBinary(this.#mask(toBinary(text)));
  }

  #mask(text: string): string {
    return this.#pattern ? text.replace(this.#pattern, MASK) : text;
  }

  /** Returns the masked text up to the end of its last secret, and the position of that end. */
  #replace(text: string): { done: string; from: number } {
    let done = '';
    let from = 0;
    for (const { 0: found, index } of text.matchAll(this.#pattern!)) {
      const end = index + found.length;
      if (end === text.length && this.#openEnd(found) === found.length) {
        // A longer secret may begin with this one.
        break;
      }
      done += text.slice(from, index) + MASK;
      from = end;
    }
    return { done, from };
  }

  /** Returns the length of the text's end that may be the start of a secret. */
  #openEnd(text: string): number {
    const most = Math.min(text.length, this.#longest - 1);
    for (let length = most; length > 0; length -= 1) {
      const end = text.slice(-length);
      if (
        this.#forms.some(form => form.length > length && form.startsWith(end))
      ) {
        return length;
      }
    }
    return 0;
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

/** Escapes a text for use in a regular expression. */
function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function toBinary(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function fromBinary(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
}
