import {
  HttpAuthService,
  PermissionsService,
} from '@backstage/backend-plugin-api';
import { NotAllowedError } from '@backstage/errors';
import {
  AuthorizeResult,
  BasicPermission,
} from '@backstage/plugin-permission-common';
import { RequestHandler } from 'express';

/**
 * Makes the layer that asks the permission framework before a route does
 * anything else: the contract wants 403 ahead of the 400 of a bad request, so
 * the check stands before parsing and not behind it.
 *
 * @example
 * const guard = createPermissionGuard({ httpAuth, permissions });
 * router.post('/things', guard(thingCreatePermission), jsonBody(), handler);
 */
export function createPermissionGuard(options: {
  httpAuth: HttpAuthService;
  permissions: PermissionsService;
}): (permission: BasicPermission) => RequestHandler {
  const { httpAuth, permissions } = options;
  return permission => async (req, _res, next) => {
    try {
      const credentials = await httpAuth.credentials(req, {
        allow: ['user', 'service'],
      });
      const [decision] = await permissions.authorize([{ permission }], {
        credentials,
      });
      if (decision.result !== AuthorizeResult.ALLOW) {
        throw new NotAllowedError(`Permission ${permission.name} is required`);
      }
      next();
    } catch (error) {
      next(error);
    }
  };
}
