import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Forge } from '../../config';

/** A delivery before it is believed. */
export interface UnverifiedDelivery {
  /** Header by name in lower case; empty ones count as missing. */
  header(name: string): string | undefined;
  /** As received. */
  rawBody: string;
  /** What it says: the same, unless it came in a form. */
  message: string | undefined;
}

/** Whether one secret vouches for a delivery. */
type SecretCheck = (secret: string) => Promise<boolean>;

/** Takes the same time whatever the texts have in common, their lengths included. */
function equal(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** Signed as GitHub does. The package is a module that plugins, being CommonJS, cannot require. */
async function verify(
  secret: string,
  payload: string,
  signature: string,
): Promise<boolean> {
  const methods = await import('@octokit/webhooks-methods');
  return methods.verify(secret, payload, signature);
}

/** `X-Hub-Signature-256: sha256=<hex HMAC of the raw body>`. */
function githubCheck(delivery: UnverifiedDelivery): SecretCheck | undefined {
  const signature = delivery.header('x-hub-signature-256');
  return signature && delivery.rawBody
    ? secret => verify(secret, delivery.rawBody, signature)
    : undefined;
}

/** The hex HMAC of the JSON, which of a form is its field `payload` alone. */
function giteaCheck(delivery: UnverifiedDelivery): SecretCheck | undefined {
  const signature =
    delivery.header('x-forgejo-signature') ??
    delivery.header('x-gitea-signature');
  const { message } = delivery;
  return signature && message
    ? secret => verify(secret, message, `sha256=${signature}`)
    : undefined;
}

const SIGNING_TOKEN = 'whsec_';

/**
 * GitLab's signing token (https://www.standardwebhooks.com): the base64 HMAC of id,
 * time and raw body, as one of the `v1,…` in `webhook-signature`. That an old
 * delivery is sent once more the id rules out, which is signed and known then.
 */
function signedByToken(delivery: UnverifiedDelivery, secret: string): boolean {
  const [id, time, signatures] = [
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ].map(name => delivery.header(name));
  if (!id || !time || !signatures) {
    return false;
  }
  const expected = createHmac(
    'sha256',
    Buffer.from(secret.slice(SIGNING_TOKEN.length), 'base64'),
  )
    .update(`${id}.${time}.${delivery.rawBody}`)
    .digest('base64');
  return signatures
    .split(' ')
    .some(signature => equal(signature, `v1,${expected}`));
}

/** A secret is GitLab's signing token (`whsec_…`) or its secret token, sent as it is in `X-Gitlab-Token`. */
function gitlabCheck(delivery: UnverifiedDelivery): SecretCheck | undefined {
  const token = delivery.header('x-gitlab-token');
  if (!token && !delivery.header('webhook-signature')) {
    return undefined;
  }
  return async secret =>
    secret.startsWith(SIGNING_TOKEN)
      ? signedByToken(delivery, secret)
      : token !== undefined && equal(token, secret);
}

const CHECKS: Record<
  Forge,
  (delivery: UnverifiedDelivery) => SecretCheck | undefined
> = {
  github: githubCheck,
  gitlab: gitlabCheck,
  gitea: giteaCheck,
  forgejo: giteaCheck,
};

/**
 * Checks a delivery against every secret of the forge: several are good while one
 * takes the place of another.
 *
 * @returns undefined when it is not signed at all.
 */
export async function isSigned(options: {
  forge: Forge;
  secrets: string[];
  delivery: UnverifiedDelivery;
}): Promise<boolean | undefined> {
  const check = CHECKS[options.forge](options.delivery);
  if (!check) {
    return undefined;
  }
  // All of them, so that the time does not tell which one it was.
  const results = await Promise.all(
    options.secrets.filter(Boolean).map(secret => check(secret)),
  );
  return results.includes(true);
}
