import { rootHttpRouterServiceFactory } from '@backstage/backend-defaults/rootHttpRouter';
import { contractNotFound } from '../httpRouter/contractErrors';

/**
 * Backstage's `rootHttpRouter` service, which answers a path of no plugin in the
 * format of the contract (group A) instead of with nothing.
 */
export const contractRootHttpRouterFactory = rootHttpRouterServiceFactory({
  configure({ applyDefaults, middleware }) {
    // The defaults take it from here, and end every request by it.
    middleware.notFound = contractNotFound;
    applyDefaults();
  },
});
