import { createHmac } from 'node:crypto';
import type { Forge, HeaderOf } from './Forge.ts';
import { isHmacOf, isSameSecret } from './secrets.ts';

/** A delivery before it is believed. */
export interface UnverifiedDelivery {
  header: HeaderOf;
  /** As it came over the wire. */
  body: Buffer | string;
  /** What it says: the same, unless it came in a form; undefined when that says nothing. */
  message: Buffer | string | undefined;
}

/** Whether one secret vouches for a delivery. */
type SecretCheck = (secret: string) => boolean;

/** `X-Hub-Signature-256: sha256=<hex HMAC of the raw body>`. */
function githubCheck(delivery: UnverifiedDelivery): SecretCheck | undefined {
  const { header, body } = delivery;
  const signature = header('x-hub-signature-256');
  return signature && body.length > 0
    ? secret => isHmacOf(signature, { body, secret })
    : undefined;
}

/** The same signature in as many words: Gitea adds GitHub's, and Forgejo those of both. */
const GITEA_SIGNATURES = [
  'x-forgejo-signature',
  'x-gitea-signature',
  'x-hub-signature-256',
];

const SIGNATURES: Readonly<Record<Forge, readonly string[]>> = {
  github: ['x-hub-signature-256'],
  gitlab: ['x-gitlab-token', 'webhook-signature'],
  gitea: GITEA_SIGNATURES,
  forgejo: GITEA_SIGNATURES,
};

/**
 * Whether the headers hold a signature or a secret token at all. Without one a delivery
 * can be refused before its body is read.
 */
export function hasSignature(forge: Forge, header: HeaderOf): boolean {
  return SIGNATURES[forge].some(name => Boolean(header(name)));
}

/** The hex HMAC of the JSON, which of a form is its field `payload` alone. */
function giteaCheck(delivery: UnverifiedDelivery): SecretCheck | undefined {
  const { header, message } = delivery;
  const sent = GITEA_SIGNATURES.map(header).find(Boolean);
  if (!sent || message === undefined || message.length === 0) {
    return undefined;
  }
  const signature = sent.startsWith('sha256=') ? sent : `sha256=${sent}`;
  return secret => isHmacOf(signature, { body: message, secret });
}

const SIGNING_TOKEN = 'whsec_';

/** Of one delivery: one by each secret while one takes the place of another. */
const MOST_SIGNATURES = 8;

/**
 * GitLab's signing token (https://www.standardwebhooks.com): the base64 HMAC of id,
 * time and raw body, as one of the `v1,…` in `webhook-signature`. That an old
 * delivery is sent once more the id rules out, which is signed and known then.
 */
function isSignedByToken(
  { header, body }: UnverifiedDelivery,
  token: string,
): boolean {
  const [id, time, signatures] = [
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ].map(header);
  if (!id || !time || !signatures) {
    return false;
  }
  const key = Buffer.from(token.slice(SIGNING_TOKEN.length), 'base64');
  const expected = createHmac('sha256', key)
    .update(`${id}.${time}.`)
    .update(body)
    .digest('base64');
  return signatures
    .split(' ', MOST_SIGNATURES)
    .some(signature => isSameSecret(signature, `v1,${expected}`));
}

/** A secret is GitLab's signing token (`whsec_…`) or its secret token, sent as it is in `X-Gitlab-Token`. */
function gitlabCheck(delivery: UnverifiedDelivery): SecretCheck | undefined {
  const { header } = delivery;
  const token = header('x-gitlab-token');
  if (!token && !header('webhook-signature')) {
    return undefined;
  }
  return secret =>
    secret.startsWith(SIGNING_TOKEN)
      ? isSignedByToken(delivery, secret)
      : Boolean(token) && isSameSecret(token ?? '', secret);
}

const CHECKS: Readonly<
  Record<Forge, (delivery: UnverifiedDelivery) => SecretCheck | undefined>
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
export function isSigned(options: {
  forge: Forge;
  secrets: readonly string[];
  delivery: UnverifiedDelivery;
}): boolean | undefined {
  const check = CHECKS[options.forge](options.delivery);
  // All of them, so that the time does not tell which one it was.
  return check && options.secrets.filter(Boolean).map(check).includes(true);
}
