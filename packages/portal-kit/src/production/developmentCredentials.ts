import { Config } from '@backstage/config';

/** Values that stand in the public repository and must never guard a production system. */
const DEVELOPMENT_CREDENTIALS: readonly string[] = [
  'dev-service-token',
  'dev-catalog-token',
  'dev-space-metrics-token',
  'dev-feedback-token',
  'dev-build-server-token',
  'dev-webhook-secret',
  'dev-space-key',
  'dev-automation-key',
  'dev-client-token',
  'dev-admin-token',
  'phc_dev_project_key',
  'phx_dev_api_token',
  'dev-api-token',
  'dev-viewer-token',
  'dev-webhook-token',
];

/** What the portal itself reads; the companion services look after their own sections. */
const PORTAL_SECTIONS: readonly string[] = [
  'app',
  'auth',
  'backend',
  'catalog',
  'deliveryLake',
  'ideLauncher',
  'integrations',
  'proxy',
  'slipway',
];

/**
 * Names every development credential that a configuration uses, by its
 * configuration key. Empty when there is none. A credential within a longer
 * value, such as a header that the proxy adds, counts as well.
 */
function findDevelopmentCredentials(config: Config): string[] {
  const found: string[] = [];
  for (const section of PORTAL_SECTIONS) {
    for (const [key, value] of stringsOf(
      config.getOptional(section),
      section,
    )) {
      const words = value.split(/[^\w-]+/);
      const credential = DEVELOPMENT_CREDENTIALS.find(known =>
        words.includes(known),
      );
      if (credential) {
        found.push(`${key} (${credential})`);
      }
    }
  }
  if (config.has('auth.providers.dev')) {
    found.push('auth.providers.dev (development sign-in)');
  }
  if (config.getOptionalString('app.signIn.method') === 'development') {
    found.push('app.signIn.method (development sign-in)');
  }
  return found;
}

/** Every string under a value, with its key. */
function* stringsOf(value: unknown, key: string): Generator<[string, string]> {
  if (typeof value === 'string') {
    yield [key, value];
  } else if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      yield* stringsOf(element, `${key}[${index}]`);
    }
  } else if (value && typeof value === 'object') {
    for (const [name, member] of Object.entries(value)) {
      yield* stringsOf(member, `${key}.${name}`);
    }
  }
}

/**
 * Refuses to go on in production while a development credential is in use.
 *
 * @throws Error naming each such credential.
 */
export function assertNoDevelopmentCredentials(
  config: Config,
  nodeEnv: string | undefined,
): void {
  if (nodeEnv !== 'production') {
    return;
  }
  const found = findDevelopmentCredentials(config);
  if (found.length > 0) {
    throw new Error(
      `Development credentials are in use and NODE_ENV is production. Replace: ${found.join(
        ', ',
      )}`,
    );
  }
}
