import { Config } from '@backstage/config';

/** Values that stand in the public repository and must never guard a production system. */
const DEVELOPMENT_TOKENS: ReadonlySet<string> = new Set([
  'dev-service-token',
  'dev-catalog-token',
  'dev-webhook-secret',
]);

/**
 * Names every development credential that a configuration uses, by its
 * configuration key. Empty when there is none.
 */
function findDevelopmentCredentials(config: Config): string[] {
  const found: string[] = [];
  const tokens = config.getOptionalConfigArray('backend.auth.externalAccess');
  tokens?.forEach((access, index) => {
    const token = access.getOptionalString('options.token');
    if (token !== undefined && DEVELOPMENT_TOKENS.has(token)) {
      found.push(
        `backend.auth.externalAccess[${index}].options.token (${token})`,
      );
    }
  });
  const webhooks = config.getOptionalConfig('deliveryLake.webhooks');
  for (const forge of webhooks?.keys() ?? []) {
    const secrets = webhooks?.getOptionalStringArray(`${forge}.secrets`);
    secrets?.forEach((secret, index) => {
      if (DEVELOPMENT_TOKENS.has(secret)) {
        found.push(
          `deliveryLake.webhooks.${forge}.secrets[${index}] (${secret})`,
        );
      }
    });
  }
  if (config.has('auth.providers.dev')) {
    found.push('auth.providers.dev (development sign-in)');
  }
  return found;
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
