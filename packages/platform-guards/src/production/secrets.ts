import { createHash } from 'node:crypto';
import { stringsOf } from './readConfiguration.ts';

/**
 * The credentials of `app-config.yaml`: everybody can read them, so they must never guard
 * a production system.
 */
export const DEVELOPMENT_CREDENTIALS: readonly string[] = [
  'dev-service-token',
  'dev-catalog-token',
  'dev-space-metrics-token',
  'dev-feedback-token',
  'dev-build-server-token',
  'dev-feature-flags-token',
  'dev-analytics-token',
  'dev-webhook-secret',
  'dev-space-key',
  'dev-space-hash-key',
  'dev-forge-secret',
  'dev-client-token',
  'dev-frontend-token',
  'dev-admin-token',
  'dev-automation-key',
  'dev-api-token',
  'dev-viewer-token',
  'dev-webhook-token',
  'dev-new-service-key',
  'phc_dev_project_key',
  'phc_dev_portal_key',
  'phx_dev_api_token',
];

const KNOWN: ReadonlyMap<string, string> = new Map(
  DEVELOPMENT_CREDENTIALS.flatMap(credential => [
    [credential, credential],
    [
      createHash('sha256').update(credential).digest('hex'),
      `hash of ${credential}`,
    ],
  ]),
);

/**
 * Which development credential a value is or holds, such as a header or a token with
 * something in front; its SHA-256 in hex counts as well.
 *
 * @returns the credential for people, undefined when there is none.
 */
export function developmentCredentialIn(value: string): string | undefined {
  for (const word of value.split(/[^\w-]+/)) {
    const known = KNOWN.get(word) ?? KNOWN.get(word.toLowerCase());
    if (known) {
      return known;
    }
  }
  return undefined;
}

const SHORTEST = 32;
/** Different characters; 32 random digits of hex have 13 and more. */
const FEWEST_CHARACTERS = 8;

/**
 * Keys of secrets that let callers in or that something is signed with. What other systems
 * issue, such as tokens of forges and identity providers, has a length of its own.
 */
const GUARDS: readonly RegExp[] = [
  /^backend\.auth\.externalAccess\[\d+\]\.options\.(?:token|secret)$/,
  /^backend\.auth\.keys\[\d+\]\.secret$/,
  /^auth\.session\.secret$/,
  /^deliveryLake\.webhooks\.\w+\.secrets\[\d+\]$/,
  /^\w+\.auth\.(?:apiKeys|users)\[\d+\]\.(?:key|sha256)$/,
  /^\w+\.webhooks\[\d+\]\.secret$/,
  /^spaceMetrics\.privacy\.hashKey$/,
  /^spaceMetrics\.forges\.\w+$/,
  /^featureFlags\.tokens\[\d+\]\.(?:token|sha256)$/,
  /^analytics\.projects\[\d+\]\.(?:keys|apiTokens)\[\d+\]\.(?:key|sha256)$/,
  /^buildServer\.secrets\./,
];

/** Keys of secrets that another part of the platform lets their holders in by. */
const HOLDERS: readonly RegExp[] = [
  /^slipway\.flags\.token$/,
  /^app\.analytics\.slipway\.projectKey$/,
  /^\w+\.portalToken$/,
  /^buildServer\.spaceMetrics\.apiKey$/,
];

/** What says for whom a secret is, before the secret itself: `*:production.`, `phc_`. */
const PREFIX = /^(?:[\w*-]{1,100}:[\w*-]{1,100}\.|ph[cx]_|whsec_)/;

const WELL_KNOWN = /change-?me|password|passw0rd|placeholder|example|secret/i;

/**
 * Finds the secrets of a configuration that others can guess, and those that guard two
 * things: whoever is trusted with one of them would be with the other.
 *
 * @returns their keys, each with what is wrong with it; never the secret.
 */
export function* weakSecrets(
  configuration: unknown,
): Generator<[key: string, fault: string]> {
  const keysOf = new Map<string, string[]>();
  for (const [key, value] of stringsOf(configuration)) {
    const guards = GUARDS.some(pattern => pattern.test(key));
    const isHash = key.endsWith('.sha256');
    if (guards) {
      const id = isHash ? value.toLowerCase() : sha256(value);
      keysOf.set(id, [...(keysOf.get(id) ?? []), key]);
    }
    if (!isHash && (guards || HOLDERS.some(pattern => pattern.test(key)))) {
      const weakness = weaknessOf(value.replace(PREFIX, ''));
      if (weakness) {
        yield [key, weakness];
      }
    }
  }
  for (const keys of keysOf.values()) {
    for (const key of keys.length > 1 ? keys : []) {
      const others = keys.filter(other => other !== key).join(' and ');
      yield [key, `is the same secret as ${others}`];
    }
  }
}

function weaknessOf(secret: string): string | undefined {
  if (secret.length < SHORTEST) {
    return `is a secret of fewer than ${SHORTEST} characters`;
  }
  const isGuessable =
    new Set(secret).size < FEWEST_CHARACTERS ||
    WELL_KNOWN.test(secret) ||
    repeats(secret) ||
    isSequence(secret);
  return isGuessable ? 'is a secret that is easily guessed' : undefined;
}

/** Tells whether a text repeats a shorter one, as `0123456789abcdef` twice is. */
function repeats(text: string): boolean {
  return `${text}${text}`.indexOf(text, 1) < text.length;
}

/** Tells whether most characters follow the one before, as in `abcdefghij…`. */
function isSequence(text: string): boolean {
  const following = [...text].filter(
    (character, index) =>
      index > 0 && character.charCodeAt(0) === text.charCodeAt(index - 1) + 1,
  );
  return following.length > text.length / 2;
}

function sha256(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}
