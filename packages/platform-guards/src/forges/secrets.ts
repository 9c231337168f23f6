import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

const SIGNATURE = /^sha256=([0-9a-f]{64})$/i;

/** Compares secrets in a time that tells neither length nor content. */
export function isSameSecret(sent: string, known: string): boolean {
  return timingSafeEqual(digest(sent), digest(known));
}

/**
 * Whether a signature is the HMAC-SHA256 of a body under a secret, in constant time.
 *
 * @param signature - `sha256=<hex>`, as GitHub sends it.
 * @see https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
 */
export function isHmacOf(
  signature: string,
  { body, secret }: { body: Buffer | string; secret: string },
): boolean {
  const [, hex] = SIGNATURE.exec(signature) ?? [];
  return (
    hex !== undefined &&
    timingSafeEqual(
      Buffer.from(hex, 'hex'),
      createHmac('sha256', secret).update(body).digest(),
    )
  );
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
