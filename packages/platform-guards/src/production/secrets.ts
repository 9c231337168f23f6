import { createHash } from 'node:crypto';
import { stringsOf } from './readConfiguration.ts';

/**
 * The credentials in `app-config.yaml`: they are public, so they must never protect a production
 * system.
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
 * Finds the development credential that a value equals or contains, e.g. in a header or after a
 * prefix; its SHA-256 in hex counts as well.
 *
 * @returns a description of the credential, or undefined if there is none.
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
/** Minimum number of distinct characters; 32 random hex digits have at least 13. */
const FEWEST_CHARACTERS = 8;

/**
 * Keys of secrets that authenticate callers or sign something. Secrets issued by other systems,
 * such as tokens of forges and identity providers, are not checked, as their length varies.
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
  /^analytics\.projects\[\d+\]\.destinations\[\d+\]\.secret$/,
  /^analytics\.events\.backups\.tokens\[\d+\]\.(?:key|sha256)$/,
  /^buildServer\.secrets\./,
  /^(?:buildServer|analytics)\.secretsKey$/,
];

/** Keys of secrets with which the platform's own parts authenticate to each other. */
const HOLDERS: readonly RegExp[] = [
  /^(?:slipway|analytics)\.flags\.token$/,
  /^app\.analytics\.slipway\.projectKey$/,
  /^\w+\.portalToken$/,
  /^(?:buildServer|demo)\.spaceMetrics\.apiKey$/,
  /^featureFlags\.feedback\.apiKey$/,
  /^featureFlags\.builds\.key$/,
];

/** Matches prefixes that identify what a secret is for: `*:production.`, `phc_`. */
const PREFIX = /^(?:[\w*-]{1,100}:[\w*-]{1,100}\.|ph[cx]_|whsec_)/;

const WELL_KNOWN = /change-?me|password|passw0rd|placeholder|example|secret/i;

/**
 * Finds secrets in a configuration that can be guessed, and secrets used for two purposes: anyone
 * who has one could also use the other.
 *
 * @returns their keys, each with the problem; never the secret.
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

/** Checks whether a string repeats a shorter one, e.g. `0123456789abcdef` twice. */
function repeats(text: string): boolean {
  return `${text}${text}`.indexOf(text, 1) < text.length;
}

/** Checks whether most characters follow the previous one, as in `abcdefghij…`. */
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
