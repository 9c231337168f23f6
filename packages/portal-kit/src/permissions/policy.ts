import {
  coreServices,
  createBackendModule,
  type RootConfigService,
} from '@backstage/backend-plugin-api';
import {
  AuthorizeResult,
  PolicyDecision,
} from '@backstage/plugin-permission-common';
import {
  PermissionPolicy,
  PolicyQuery,
  PolicyQueryUser,
} from '@backstage/plugin-permission-node';
import { policyExtensionPoint } from '@backstage/plugin-permission-node/alpha';
import { isForAdmins } from './administration';

const ALLOW: PolicyDecision = { result: AuthorizeResult.ALLOW };
const DENY: PolicyDecision = { result: AuthorizeResult.DENY };

/** Allows all signed-in users to use the platform, and only admins to manage it. */
export class SlipwayPermissionPolicy implements PermissionPolicy {
  readonly #adminGroups: ReadonlySet<string>;

  /** @param options.adminGroups - entity refs of the groups whose members manage the platform. */
  constructor(options: { adminGroups: string[] }) {
    this.#adminGroups = new Set(
      options.adminGroups.map(ref => ref.toLocaleLowerCase('en-US')),
    );
  }

  async handle(
    request: PolicyQuery,
    user?: PolicyQueryUser,
  ): Promise<PolicyDecision> {
    if (!user) {
      return DENY;
    }
    const { name } = request.permission;
    if (isForAdmins(name)) {
      return this.#isAdmin(user) ? ALLOW : DENY;
    }
    return ALLOW;
  }

  #isAdmin(user: PolicyQueryUser): boolean {
    return user.info.ownershipEntityRefs.some(ref =>
      this.#adminGroups.has(ref.toLocaleLowerCase('en-US')),
    );
  }
}

const DEFAULT_ADMIN_GROUPS = ['group:default/platform-admins'];

/** Reads `slipway.adminGroups`, the groups whose members manage the platform. */
export function readAdminGroups(config: RootConfigService): string[] {
  return (
    config.getOptionalStringArray('slipway.adminGroups') ?? DEFAULT_ADMIN_GROUPS
  );
}

/** Installs {@link SlipwayPermissionPolicy} with the groups from `slipway.adminGroups`. */
export const permissionPolicyModule = createBackendModule({
  pluginId: 'permission',
  moduleId: 'slipway-policy',
  register(env) {
    env.registerInit({
      deps: { config: coreServices.rootConfig, policy: policyExtensionPoint },
      async init({ config, policy }) {
        policy.setPolicy(
          new SlipwayPermissionPolicy({ adminGroups: readAdminGroups(config) }),
        );
      },
    });
  },
});
