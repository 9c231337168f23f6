import type {
  HttpAuthService,
  PermissionsService,
} from '@backstage/backend-plugin-api';
import type { BasicPermission } from '@backstage/plugin-permission-common';
import type { Administration, Role } from '@slipway/entity-contract';
import type { Router } from 'express';
import PromiseRouter from 'express-promise-router';
import { methodNotAllowed } from '../http/requests';
import { createPermissionGuard } from '../permissions/access';
import {
  administrationPermission,
  isForAdmins,
} from '../permissions/administration';

/**
 * Creates a plugin's route `GET /administration`, which reports its roles, tokens and webhooks to
 * admins, in the same format as the services.
 */
export function createAdministrationRouter(options: {
  httpAuth: HttpAuthService;
  permissions: PermissionsService;
  report(): Promise<Administration>;
}): Router {
  const guard = createPermissionGuard(options);
  const router = PromiseRouter();
  router
    .route('/administration')
    .get(guard(administrationPermission), async (_req, res) => {
      res.json(await options.report());
    })
    .all(methodNotAllowed('GET'));
  return router;
}

/**
 * Returns the roles in a plugin, derived from the names of its permissions.
 *
 * @param options.adminGroups - entity refs of the groups whose members manage the platform.
 */
export function rolesOf(
  permissions: readonly BasicPermission[],
  { adminGroups }: { adminGroups: readonly string[] },
): Role[] {
  const names = permissions.map(({ name }) => name);
  return [
    {
      name: 'Platform admins',
      groups: [...adminGroups],
      may: names.filter(isForAdmins),
      key: 'slipway.adminGroups',
    },
    {
      name: 'Every signed-in user',
      groups: [],
      may: names.filter(name => !isForAdmins(name)),
    },
  ];
}
