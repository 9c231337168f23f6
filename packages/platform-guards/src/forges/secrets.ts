import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

const SIGNATURE = /^sha256=([0-9a-f]{64})$/i;

/** Compares secrets in a time that tells neither length nor content. */
export function isSameSecret(sent: string, known: string): boolean {
  return timingSafeEqual(digest(sent), digest(known));
}

/**
 * The check of a signature against the HMAC-SHA256 of a body under a secret, piece by piece
 * as the body arrives.
 *
 * @see https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
 */
export class HmacCheck {
  readonly #signature: Buffer | undefined;
  readonly #hmac;

  /** @param signature - `sha256=<hex>`, as GitHub sends it; what is none never matches. */
  constructor(signature: string, secret: string) {
    const [, hex] = SIGNATURE.exec(signature) ?? [];
    this.#signature = hex === undefined ? undefined : Buffer.from(hex, 'hex');
    this.#hmac = createHmac('sha256', secret);
  }

  update(piece: Buffer | string): void {
    if (this.#signature) {
      this.#hmac.update(piece);
    }
  }

  /** Compares the pieces with what was signed, in constant time; to be called once. */
  matches(): boolean {
    return (
      this.#signature !== undefined &&
      timingSafeEqual(this.#signature, this.#hmac.digest())
    );
  }
}

/**
 * Tells whether a signature is the HMAC-SHA256 of a body under a secret, in constant time.
 *
 * @param signature - `sha256=<hex>`, as GitHub sends it.
 */
export function isHmacOf(
  signature: string,
  { body, secret }: { body: Buffer | string; secret: string },
): boolean {
  const check = new HmacCheck(signature, secret);
  check.update(body);
  return check.matches();
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
