import {
  HttpAuthService,
  PermissionsService,
} from '@backstage/backend-plugin-api';
import { deliveryReadPermission } from '@slipway/plugin-delivery-lake-common';
import { createPermissionGuard, methodNotAllowed } from '@slipway/portal-kit';
import { Router } from 'express';
import PromiseRouter from 'express-promise-router';
import { OverviewService } from './OverviewService';

/** Creates the routes about the lake as a whole. */
export function createOverviewRoutes(options: {
  httpAuth: HttpAuthService;
  permissions: PermissionsService;
  service: OverviewService;
}): Router {
  const { service } = options;
  const guard = createPermissionGuard(options);
  const router = PromiseRouter();

  for (const part of ['scopes', 'status', 'unmatched'] as const) {
    router
      .route(`/${part}`)
      .get(guard(deliveryReadPermission), async (_req, res) => {
        res.json(await service[part]());
      })
      .all(methodNotAllowed('GET'));
  }

  return router;
}
