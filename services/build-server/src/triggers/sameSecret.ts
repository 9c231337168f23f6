import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Compares secrets in a time that tells neither length nor content. */
export function isSameSecret(sent: string, known: string): boolean {
  return timingSafeEqual(digest(sent), digest(known));
}

/**
 * Whether `sha256=<hex>` is the HMAC-SHA256 of the raw body under one of the secrets.
 *
 * https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
 */
export function isSigned(
  header: string | string[] | undefined,
  options: { body: Buffer; secrets: readonly string[] },
): boolean {
  const [, hex] =
    /^sha256=([0-9a-f]{64})$/i.exec(typeof header === 'string' ? header : '') ??
    [];
  if (hex === undefined) {
    return false;
  }
  const sent = Buffer.from(hex, 'hex');
  // Every secret is tried: the time tells nothing of which one it was.
  return options.secrets
    .map(secret => {
      const known = createHmac('sha256', secret).update(options.body).digest();
      return timingSafeEqual(sent, known);
    })
    .includes(true);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
