import {
  coreServices,
  createServiceFactory,
} from '@backstage/backend-plugin-api';
import type { Config } from '@backstage/config';
import { ConfigSources } from '@backstage/config-loader';
import { findProductionFaults } from '@slipway/platform-guards';

/**
 * Rejects a configuration that is not fit for production and, if NODE_ENV is not a known environment, one
 * that listens on other interfaces than loopback.
 *
 * @param config - The configuration as the backend uses it.
 * @param origin - Command line and environment from which it was read.
 * @throws Error naming every unset variable, development credential and address, and development
 *   sign-in.
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
 * Returns whether a section belongs to a companion service, recognized by its listen address. A service
 * checks its own section, whose variables need not be set for the portal.
 */
function isOfService(config: Config, section: string): boolean {
  return section !== 'backend' && config.has(`${section}.listen`);
}

/**
 * Provides the configuration as Backstage reads it. In production, throws if it contains development
 * settings. Everything else depends on the configuration, so nothing listens before the check.
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
