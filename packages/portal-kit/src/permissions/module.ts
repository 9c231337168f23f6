import {
  coreServices,
  createBackendModule,
} from '@backstage/backend-plugin-api';
import { policyExtensionPoint } from '@backstage/plugin-permission-node/alpha';
import { SlipwayPermissionPolicy } from './SlipwayPermissionPolicy';

const DEFAULT_ADMIN_GROUPS = ['group:default/platform-admins'];

/** Installs {@link SlipwayPermissionPolicy}; the groups come from `slipway.adminGroups`. */
export const permissionPolicyModule = createBackendModule({
  pluginId: 'permission',
  moduleId: 'slipway-policy',
  register(env) {
    env.registerInit({
      deps: { config: coreServices.rootConfig, policy: policyExtensionPoint },
      async init({ config, policy }) {
        policy.setPolicy(
          new SlipwayPermissionPolicy({
            adminGroups:
              config.getOptionalStringArray('slipway.adminGroups') ??
              DEFAULT_ADMIN_GROUPS,
          }),
        );
      },
    });
  },
});
