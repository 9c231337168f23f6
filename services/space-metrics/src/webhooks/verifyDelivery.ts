import { createHmac, timingSafeEqual } from 'node:crypto';
import { UnauthenticatedError } from '@slipway/service-kit';
import type { Forge } from './ForgeActivity.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Where each forge puts its signature of the raw body: HMAC-SHA256 in hex. */
const SIGNATURES: Readonly<
  Record<Exclude<Forge, 'gitlab'>, readonly string[]>
> = {
  github: ['x-hub-signature-256'],
  gitea: ['x-gitea-signature', 'x-hub-signature-256'],
  forgejo: ['x-forgejo-signature', 'x-gitea-signature', 'x-hub-signature-256'],
};

/**
 * Makes sure that a delivery comes from who holds the secret. GitLab sends the secret
 * itself, the others a signature of the body as it came over the wire.
 *
 * @throws UnauthenticatedError when it does not, or no secret is configured.
 */
export function verifyDelivery(options: {
  forge: Forge;
  secret: string | null | undefined;
  headers: Headers;
  body: Buffer;
}): void {
  const { forge, secret, headers, body } = options;
  if (!secret) {
    throw new UnauthenticatedError(`No secret is configured for ${forge}`);
  }
  const isValid =
    forge === 'gitlab'
      ? isSame(headers['x-gitlab-token'], secret)
      : SIGNATURES[forge].some(header =>
          isSigned(headers[header], { secret, body }),
        );
  if (!isValid) {
    throw new UnauthenticatedError(
      'The signature of the delivery is not valid',
    );
  }
}

function isSigned(
  header: string | string[] | undefined,
  { secret, body }: { secret: string; body: Buffer },
): boolean {
  const digest = createHmac('sha256', secret).update(body).digest('hex');
  return (
    typeof header === 'string' &&
    isSame(header.replace(/^sha256=/, '').toLowerCase(), digest)
  );
}

/** Compares digests, so that the time it takes tells neither length nor content. */
function isSame(sent: string | string[] | undefined, known: string): boolean {
  if (typeof sent !== 'string') {
    return false;
  }
  const digest = (text: string) =>
    createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(sent), digest(known));
}
