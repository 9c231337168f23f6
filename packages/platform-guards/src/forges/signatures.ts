import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Forge, HeaderOf } from './headers.ts';

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
class HmacCheck {
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

/** A delivery before it is believed. */
export interface UnverifiedDelivery {
  header: HeaderOf;
  /** The bytes as they came over the wire. */
  body: Buffer | string;
  /** What it says: the same, unless it came in a form; undefined when that says nothing. */
  message: Buffer | string | undefined;
}

/** The check of one delivery against every secret of its forge, while the delivery arrives. */
export interface SignatureCheck {
  /**
   * What the signature is over: the body as it came over the wire, the JSON that the body
   * says (of a form its field `payload`), or nothing where the secret itself was sent.
   */
  readonly over: 'body' | 'message' | 'nothing';
  /** Takes the next piece of what the signature is over. */
  update(piece: Buffer | string): void;
  /** Tells whether a secret vouches for all that was given to `update`; to be called once. */
  matches(): boolean;
}

interface Signed {
  header: HeaderOf;
  /** At least one; all are tried, so that the time does not tell which one it was. */
  secrets: readonly string[];
}

/** `X-Hub-Signature-256: sha256=<hex HMAC of the raw body>`. */
function checkGithub({ header, secrets }: Signed): SignatureCheck | undefined {
  const signature = header('x-hub-signature-256');
  return signature ? checkHex({ signature, secrets, over: 'body' }) : undefined;
}

/** The same signature in as many words: Gitea adds GitHub's, and Forgejo those of both. */
const GITEA_SIGNATURES = [
  'x-forgejo-signature',
  'x-gitea-signature',
  'x-hub-signature-256',
];

/** The hex HMAC of the JSON, which of a form is its field `payload` alone. */
function checkGitea({ header, secrets }: Signed): SignatureCheck | undefined {
  const sent = GITEA_SIGNATURES.map(header).find(Boolean);
  if (!sent) {
    return undefined;
  }
  const signature = sent.startsWith('sha256=') ? sent : `sha256=${sent}`;
  return checkHex({ signature, secrets, over: 'message' });
}

function checkHex(options: {
  signature: string;
  secrets: readonly string[];
  over: 'body' | 'message';
}): SignatureCheck {
  const { signature, secrets, over } = options;
  const checks = secrets.map(secret => new HmacCheck(signature, secret));
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

/** The most signatures of one delivery that are tried: one by each secret while one replaces another. */
const MOST_SIGNATURES = 8;

/**
 * GitLab's two ways. A secret is a signing token (`whsec_…`,
 * https://www.standardwebhooks.com), of which `webhook-signature` holds as one of its `v1,…`
 * the base64 HMAC of id, time and raw body; that an old delivery is sent once more the id
 * rules out, which is signed and known then. Or it is a secret token, sent as it is in
 * `X-Gitlab-Token`.
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
      const sent = signatures?.split(' ', MOST_SIGNATURES) ?? [];
      return isToken || sent.some(isAmong);
    },
  };
}

const CHECKS: Readonly<
  Record<Forge, (signed: Signed) => SignatureCheck | undefined>
> = {
  github: checkGithub,
  gitlab: checkGitlab,
  gitea: checkGitea,
  forgejo: checkGitea,
};

/**
 * Begins to check a delivery against every secret of its forge: several are good while one
 * takes the place of another.
 *
 * @returns undefined where the headers hold neither a signature nor a secret token.
 */
export function checkSignature(options: {
  forge: Forge;
  secrets: readonly string[];
  header: HeaderOf;
}): SignatureCheck | undefined {
  const { forge, header } = options;
  return CHECKS[forge]({ header, secrets: options.secrets.filter(Boolean) });
}

/**
 * Checks a delivery that has arrived whole, as {@link checkSignature} does.
 *
 * @returns undefined when it is not signed at all, or has nothing that could be.
 */
export function isSigned(options: {
  forge: Forge;
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
