import {
  coreServices,
  createServiceFactory,
} from '@backstage/backend-plugin-api';
import type { Config } from '@backstage/config';
import { ConfigSources } from '@backstage/config-loader';
import { findProductionFaults } from '@slipway/platform-guards';

/**
 * Rejects a configuration that is not fit for production, and, if NODE_ENV names no known
 * environment, one that listens beyond this machine.
 *
 * @param config - as the backend uses it.
 * @param origin - where it was read from.
 * @throws Error naming every unset variable, every development credential and address, and
 *   development sign-in.
 */
export async function assertFitForProduction(
  config: Config,
  origin: { argv: string[]; env: NodeJS.ProcessEnv },
): Promise<void> {
  const nodeEnv = origin.env.NODE_ENV;
  const faults = await findProductionFaults({
    ...origin,
    nodeEnv,
    reads: key => !isOfService(config, key.split('.')[0]),
  });
  const messages = faults.map(({ message }) => message);
  const isProduction = nodeEnv === 'production';
  if (isProduction && config.has('auth.providers.dev')) {
    messages.push('auth.providers.dev is development sign-in');
  }
  if (
    isProduction &&
    config.getOptionalString('app.signIn.method') === 'development'
  ) {
    messages.push('app.signIn.method is development sign-in');
  }
  if (messages.length > 0) {
    throw new Error(
      `The configuration is not valid${
        isProduction ? ' for production' : ''
      }:\n${messages.map(message => `  ${message}`).join('\n')}`,
    );
  }
}

/**
 * Checks whether a section belongs to a companion service, which has a listen address. A service
 * checks its section itself, and the portal need not have its variables.
 */
function isOfService(config: Config, section: string): boolean {
  return section !== 'backend' && config.has(`${section}.listen`);
}

/**
 * Provides the configuration as Backstage reads it. In production, throws if it contains
 * development settings; as everything else depends on it, nothing listens before the check.
 */
export const productionGuardFactory = createServiceFactory({
  service: coreServices.rootConfig,
  deps: {},
  async factory() {
    const { argv, env } = process;
    const config = await ConfigSources.toConfig(
      ConfigSources.default({ argv, env }),
    );
    await assertFitForProduction(config, { argv, env });
    return config;
  },
});
