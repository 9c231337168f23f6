const MASK = '****';

/** Shorter forms would hide what is none. */
const MIN_LENGTH = 8;

/**
 * Replaces secrets by `****` in bytes that come in parts. Besides a secret itself it
 * knows each line of it, its form in addresses and in JSON, its hex digits, its characters
 * from the last to the first, and its base64, alone or as a part of something longer. What a build encodes in another way is not found.
 */
export class SecretMask {
  readonly #forms: readonly string[];
  readonly #longest: number;
  readonly #pattern: RegExp | undefined;
  readonly #secrets: readonly string[];
  #held = '';

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
    // Bytes are characters here, so that output need not be text.
    const forms = new Set(secrets.flatMap(formsOf).map(toBinary));
    this.#forms = [...forms].sort((one, other) => other.length - one.length);
    this.#longest = this.#forms[0]?.length ?? 0;
    this.#pattern =
      this.#forms.length > 0
        ? new RegExp(this.#forms.map(literally).join('|'), 'g')
        : undefined;
  }

  /** Masks the next part; its end waits where it may be the beginning of a secret. */
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

  /** What waits, when nothing follows on it. */
  end(): Buffer {
    const held = this.#held;
    this.#held = '';
    return Buffer.from(this.#mask(held), 'latin1');
  }

  /** The same mask for another output, which nothing is held back of yet. */
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

  /** @returns the text up to the end of its last secret, masked, and where that is. */
  #replace(text: string): { done: string; from: number } {
    let done = '';
    let from = 0;
    for (const { 0: found, index } of text.matchAll(this.#pattern!)) {
      const end = index + found.length;
      if (end === text.length && this.#openEnd(found) === found.length) {
        // A longer one may begin with it.
        break;
      }
      done += text.slice(from, index) + MASK;
      from = end;
    }
    return { done, from };
  }

  /** How long the end of a text is that may be the beginning of a secret. */
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
  const lines = secret.split(/\r?\n/).map(line => line.trim());
  const values = [...new Set([secret, secret.trim(), ...lines])];
  return values
    .flatMap(value => [
      value,
      encodeURIComponent(value),
      JSON.stringify(value).slice(1, -1),
      Buffer.from(value).toString('hex'),
      Buffer.from(value).toString('hex').toUpperCase(),
      Array.from(value).reverse().join(''),
      ...base64FormsOf(Buffer.from(value)),
    ])
    .filter(form => form.length >= MIN_LENGTH);
}

/**
 * Base64 packs three bytes into four characters, so a secret looks in three ways inside
 * of something longer: without the characters that it shares with its neighbours.
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

/** Escapes a text for a pattern that matches it literally. */
function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function toBinary(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function fromBinary(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
}
