import {
  coreServices,
  createBackendModule,
} from '@backstage/backend-plugin-api';
import {
  authProvidersExtensionPoint,
  createProxyAuthProviderFactory,
} from '@backstage/plugin-auth-node';
import { devAuthenticator } from './authenticator';
import { createCatalogSignInResolver } from './signInResolver';

/**
 * The `dev` auth provider: `GET /api/auth/dev/refresh?user=ada` responds with a normal Backstage
 * session for that catalog user, without a password. Active if `auth.providers.dev` is
 * configured.
 *
 * @throws Error at startup if NODE_ENV is production.
 */
export const authModuleDevProvider = createBackendModule({
  pluginId: 'auth',
  moduleId: 'dev-provider',
  register(env) {
    env.registerInit({
      deps: {
        config: coreServices.rootConfig,
        providers: authProvidersExtensionPoint,
      },
      async init({ config, providers }) {
        if (!config.has('auth.providers.dev')) {
          return;
        }
        if (process.env.NODE_ENV === 'production') {
          throw new Error(
            'auth.providers.dev signs anyone in without a password and does not run with NODE_ENV=production; remove it from the configuration',
          );
        }
        providers.registerProvider({
          providerId: 'dev',
          factory: createProxyAuthProviderFactory({
            authenticator: devAuthenticator,
            signInResolver: createCatalogSignInResolver(),
          }),
        });
      },
    });
  },
});
