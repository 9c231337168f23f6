import {
  coreServices,
  createServiceFactory,
  createServiceRef,
} from '@backstage/backend-plugin-api';
import { assertNoDevelopmentCredentials } from './developmentCredentials';

const productionGuardRef = createServiceRef<{}>({
  id: 'slipway.production-guard',
  scope: 'root',
});

/** Ends the start-up in production while a development credential is configured. */
export const productionGuardFactory = createServiceFactory({
  service: productionGuardRef,
  initialization: 'always',
  deps: { config: coreServices.rootConfig },
  factory({ config }) {
    assertNoDevelopmentCredentials(config, process.env.NODE_ENV);
    return {};
  },
});
