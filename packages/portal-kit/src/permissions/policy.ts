import {
  coreServices,
  createBackendModule,
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

const ALLOW: PolicyDecision = { result: AuthorizeResult.ALLOW };
const DENY: PolicyDecision = { result: AuthorizeResult.DENY };

/**
 * What only administrators may do. Everything else is open to everyone who is
 * signed in: a platform is there to be used, and what belongs to one person
 * (workspaces, settings) is guarded by its owner, not by a role.
 */
const ADMIN_PERMISSIONS: ReadonlySet<string> = new Set([
  'catalog.entity.delete',
  'catalog.location.delete',
  'catalog.location.analyze.any',
]);

/** The segment by which plugins mark permissions of administrators, e.g. `feature-flags.admin.tokens`. */
const ADMIN_SEGMENT = '.admin.';

/** Everyone signed in uses; administrators manage. */
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
    if (ADMIN_PERMISSIONS.has(name) || name.includes(ADMIN_SEGMENT)) {
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
