import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { HeaderOf, Sender } from './headers.ts';

const SIGNATURE = /^sha256=([0-9a-f]{64})$/i;

/** Compares secrets in a time that reveals neither length nor content. */
export function isSameSecret(sent: string, known: string): boolean {
  return timingSafeEqual(digest(sent), digest(known));
}

/**
 * Checks signatures against the HMAC-SHA256 of a body, in pieces as the body arrives.
 *
 * @see https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
 */
class HmacCheck {
  readonly #signatures: readonly Buffer[];
  readonly #hmac;

  /** @param signatures - `sha256=<hex>`, as GitHub sends it; a malformed one never matches. */
  constructor(signatures: readonly string[], secret: string) {
    this.#signatures = signatures.flatMap(signature => {
      const [, hex] = SIGNATURE.exec(signature) ?? [];
      return hex === undefined ? [] : [Buffer.from(hex, 'hex')];
    });
    this.#hmac = createHmac('sha256', secret);
  }

  update(piece: Buffer | string): void {
    if (this.#signatures.length > 0) {
      this.#hmac.update(piece);
    }
  }

  /** Compares all signatures, each in constant time; call it only once. */
  matches(): boolean {
    const expected = this.#hmac.digest();
    return this.#signatures
      .map(signature => timingSafeEqual(signature, expected))
      .includes(true);
  }
}

/**
 * Checks whether a signature is the HMAC-SHA256 of a body, in constant time.
 *
 * @param signature - `sha256=<hex>`, as GitHub sends it.
 */
export function isHmacOf(
  signature: string,
  { body, secret }: { body: Buffer | string; secret: string },
): boolean {
  const check = new HmacCheck([signature], secret);
  check.update(body);
  return check.matches();
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** A delivery before its signature is verified. */
export interface UnverifiedDelivery {
  header: HeaderOf;
  /** The bytes as received. */
  body: Buffer | string;
  /**
   * The JSON in the body: the body itself, or the payload of a form; undefined if there is none.
   */
  message: Buffer | string | undefined;
}

/** Verifies a delivery against all secrets of its sender, while the delivery arrives. */
export interface SignatureCheck {
  /**
   * The signed data: the body as received, the JSON in the body (the field `payload` of a form), or
   * nothing if the secret itself was sent.
   */
  readonly over: 'body' | 'message' | 'nothing';
  /** Adds the next piece of the signed content. */
  update(piece: Buffer | string): void;
  /** Checks whether any secret matches the content passed to `update`; call it only once. */
  matches(): boolean;
}

interface Signed {
  header: HeaderOf;
  /** At least one; all are tried, so that timing does not reveal which one matched. */
  secrets: readonly string[];
}

/** Checks `X-Hub-Signature-256: sha256=<hex HMAC of the raw body>`. */
function checkGithub({ header, secrets }: Signed): SignatureCheck | undefined {
  const signature = header('x-hub-signature-256');
  return signature
    ? checkHex({ signatures: [signature], secrets, over: 'body' })
    : undefined;
}

/** Headers with the same signature: Gitea also sends GitHub's, and Forgejo those of both. */
const GITEA_SIGNATURES = [
  'x-forgejo-signature',
  'x-gitea-signature',
  'x-hub-signature-256',
];

/** Checks the hex HMAC of the JSON, which is only the field `payload` of a form. */
function checkGitea({ header, secrets }: Signed): SignatureCheck | undefined {
  const sent = GITEA_SIGNATURES.map(header).find(Boolean);
  if (!sent) {
    return undefined;
  }
  const signature = sent.startsWith('sha256=') ? sent : `sha256=${sent}`;
  return checkHex({ signatures: [signature], secrets, over: 'message' });
}

function checkHex(options: {
  /** `sha256=<hex>`. */
  signatures: readonly string[];
  secrets: readonly string[];
  over: 'body' | 'message';
}): SignatureCheck {
  const { signatures, secrets, over } = options;
  const checks = secrets.map(secret => new HmacCheck(signatures, secret));
  let length = 0;
  return {
    over,
    update(piece) {
      length += piece.length;
      checks.forEach(check => check.update(piece));
    },
    matches: () =>
      length > 0 && checks.map(check => check.matches()).includes(true),
  };
}

const SIGNING_TOKEN = 'whsec_';

/** Maximum number of signatures tried per delivery: one per secret during a rotation. */
const MAX_SIGNATURES = 8;

/**
 * Checks both of GitLab's methods. A secret that is a signing token (`whsec_…`,
 * https://www.standardwebhooks.com) signs id, time and raw body; the base64 HMAC is one of the
 * `v1,…` entries of `webhook-signature`. A replay of an old delivery is detected by its id, which
 * is signed and already known. Any other secret is a plain token, sent in `X-Gitlab-Token`.
 */
function checkGitlab({ header, secrets }: Signed): SignatureCheck | undefined {
  const token = header('x-gitlab-token');
  const signatures = header('webhook-signature');
  if (!token && !signatures) {
    return undefined;
  }
  const isSigning = (secret: string) => secret.startsWith(SIGNING_TOKEN);
  const isToken =
    token !== undefined &&
    secrets
      .map(secret => !isSigning(secret) && isSameSecret(token, secret))
      .includes(true);
  const [id, time] = ['webhook-id', 'webhook-timestamp'].map(header);
  const hmacs =
    id && time && signatures && !isToken
      ? secrets.filter(isSigning).map(secret => {
          const key = secret.slice(SIGNING_TOKEN.length);
          return createHmac('sha256', Buffer.from(key, 'base64')).update(
            `${id}.${time}.`,
          );
        })
      : [];
  return {
    over: hmacs.length > 0 ? 'body' : 'nothing',
    update: piece => hmacs.forEach(hmac => hmac.update(piece)),
    matches: () => {
      const expected = hmacs.map(hmac => `v1,${hmac.digest('base64')}`);
      const isAmong = (signature: string) =>
        expected.map(one => isSameSecret(signature, one)).includes(true);
      const sent = signatures?.split(' ', MAX_SIGNATURES) ?? [];
      return isToken || sent.some(isAmong);
    },
  };
}

/**
 * Checks `X-PagerDuty-Signature: v1=<hex HMAC of the raw body>,v1=…`: while its secret is rotated,
 * PagerDuty signs with the old one and the new one.
 *
 * @see https://developer.pagerduty.com/docs/verifying-webhook-signatures
 */
function checkPagerduty({
  header,
  secrets,
}: Signed): SignatureCheck | undefined {
  const sent = header('x-pagerduty-signature');
  const signatures = sent
    ?.split(',', MAX_SIGNATURES)
    .map(signature => signature.trim().replace(/^v1=/, 'sha256='));
  return signatures && checkHex({ signatures, secrets, over: 'body' });
}

/**
 * Checks `X-Hub-Signature: sha256=<hex HMAC of the raw body>`.
 *
 * @see https://developer.atlassian.com/cloud/jira/platform/webhooks/#secure-admin-webhooks
 */
function checkJira({ header, secrets }: Signed): SignatureCheck | undefined {
  const signature = header('x-hub-signature');
  return signature
    ? checkHex({ signatures: [signature], secrets, over: 'body' })
    : undefined;
}

const CHECKS: Readonly<
  Record<Sender, (signed: Signed) => SignatureCheck | undefined>
> = {
  github: checkGithub,
  gitlab: checkGitlab,
  gitea: checkGitea,
  forgejo: checkGitea,
  pagerduty: checkPagerduty,
  jira: checkJira,
};

/**
 * Starts verifying a delivery against all secrets of its sender: several are valid during a
 * rotation.
 *
 * @returns undefined if the headers contain neither a signature nor a secret token.
 */
export function checkSignature(options: {
  forge: Sender;
  secrets: readonly string[];
  header: HeaderOf;
}): SignatureCheck | undefined {
  const { forge, header } = options;
  return CHECKS[forge]({ header, secrets: options.secrets.filter(Boolean) });
}

/**
 * Verifies a complete delivery like {@link checkSignature}.
 *
 * @returns undefined if it is not signed or has no signable content.
 */
export function isSigned(options: {
  forge: Sender;
  secrets: readonly string[];
  delivery: UnverifiedDelivery;
}): boolean | undefined {
  const { forge, secrets, delivery } = options;
  const check = checkSignature({ forge, secrets, header: delivery.header });
  if (check && check.over !== 'nothing') {
    const signed = delivery[check.over];
    if (!signed?.length && forge !== 'gitlab') {
      return undefined;
    }
    check.update(signed ?? '');
  }
  return check?.matches();
}
