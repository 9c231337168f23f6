import {
  FetchMiddleware,
  FetchMiddlewares,
  createFetchApi,
} from '@backstage/core-app-api';
import {
  ApiBlueprint,
  configApiRef,
  createFrontendModule,
  discoveryApiRef,
  fetchApiRef,
  identityApiRef,
} from '@backstage/frontend-plugin-api';
import { toErrorEnvelope } from '@slipway/app-react';

/** Makes stock pages show the error messages of our APIs, too. */
export class ContractErrorMiddleware implements FetchMiddleware {
  apply(next: typeof fetch): typeof fetch {
    return async (input, init) => {
      const response = await next(input, init);
      return response.ok ? response : toErrorEnvelope(response);
    };
  }
}

const fetchApi = ApiBlueprint.make({
  name: 'fetch',
  params: defineParams =>
    defineParams({
      api: fetchApiRef,
      deps: {
        configApi: configApiRef,
        discoveryApi: discoveryApiRef,
        identityApi: identityApiRef,
      },
      factory: ({ configApi, discoveryApi, identityApi }) =>
        createFetchApi({
          middleware: [
            FetchMiddlewares.resolvePluginProtocol({ discoveryApi }),
            FetchMiddlewares.injectIdentityAuth({
              identityApi,
              config: configApi,
            }),
            new ContractErrorMiddleware(),
          ],
        }),
    }),
});

/** Backstage's fetch, extended to understand the error bodies of our APIs. */
export const fetchModule = createFrontendModule({
  pluginId: 'app',
  extensions: [fetchApi],
});
