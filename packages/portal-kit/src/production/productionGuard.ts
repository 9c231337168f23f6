import {
  coreServices,
  createServiceFactory,
} from '@backstage/backend-plugin-api';
import type { Config } from '@backstage/config';
import { ConfigSources } from '@backstage/config-loader';
import { findProductionFaults } from '@slipway/platform-guards';

/**
 * Refuses to go on in production with a configuration that is not one of production, and
 * to listen beyond this machine where it is not said which it is.
 *
 * @param config - as the back end uses it.
 * @param origin - where it was read from.
 * @throws Error naming every unset variable, every credential and address of development,
 * and development sign-in.
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
 * Tells whether a section is that of a companion service: it says where the service
 * listens. A service looks after its section by itself, and the portal need not have the
 * variables in it.
 */
function isOfService(config: Config, section: string): boolean {
  return section !== 'backend' && config.has(`${section}.listen`);
}

/**
 * The configuration, as Backstage reads it. In production it is refused while it holds
 * what belongs to development; as all else needs it, nothing listens before.
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
