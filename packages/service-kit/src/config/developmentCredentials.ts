import { createHash } from 'node:crypto';

/** Values that stand in the public repository and must never guard a production system. */
const PLATFORM_CREDENTIALS: readonly string[] = [
  'dev-service-token',
  'dev-catalog-token',
  'dev-space-metrics-token',
  'dev-feedback-token',
  'dev-build-server-token',
  'dev-space-key',
  'dev-automation-key',
  '*:development.dev-client-token',
  '*:*.dev-admin-token',
  'phc_dev_project_key',
  'phx_dev_api_token',
  'dev-api-token',
  'dev-viewer-token',
  'dev-webhook-token',
];

/**
 * Finds the development credentials of a configuration, plain or as their hashes. In
 * production each is a fault.
 *
 * @param options.section - of the service.
 * @param options.further - credentials that only this service has in development.
 * @returns a fault for each, by its key; none elsewhere.
 */
export function findDevelopmentCredentials(options: {
  section: unknown;
  configKey: string;
  further?: readonly string[];
  nodeEnv: string | undefined;
}): string[] {
  const { section, configKey, further = [], nodeEnv } = options;
  if (nodeEnv !== 'production') {
    return [];
  }
  const known = new Map<string, string>();
  for (const credential of [...PLATFORM_CREDENTIALS, ...further]) {
    known.set(credential, credential);
    known.set(
      createHash('sha256').update(credential).digest('hex'),
      `hash of ${credential}`,
    );
  }
  return [...stringsOf(section, configKey)].flatMap(([key, value]) => {
    const match = known.get(value) ?? known.get(value.toLowerCase());
    return match
      ? [
          `${key} holds a development credential (${match}), refused in production`,
        ]
      : [];
  });
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
