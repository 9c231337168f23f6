import { createHash } from 'node:crypto';

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
  'dev-webhook-secret',
  'dev-space-key',
  'dev-space-hash-key',
  'dev-forge-secret',
  'dev-client-token',
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
