import {
  HttpAuthService,
  PermissionsService,
} from '@backstage/backend-plugin-api';
import { deliveryDeletePermission } from '@slipway/plugin-delivery-lake-common';
import {
  createPermissionGuard,
  methodNotAllowed,
  namespaceNameSchema,
  parseInput,
} from '@slipway/portal-kit';
import { Router } from 'express';
import PromiseRouter from 'express-promise-router';
import { z } from 'zod';
import type { ForgottenNamespace } from '../storage/DatabaseNamespaceStore';

const pathSchema = z.object({ namespace: namespaceNameSchema });

/**
 * Creates `DELETE /namespaces/{namespace}`, which deletes the services of a catalog namespace.
 * Services of the default namespace have no prefix, so they cannot be deleted together.
 */
export function createNamespaceRoutes(options: {
  httpAuth: HttpAuthService;
  permissions: PermissionsService;
  service: { forget(namespace: string): Promise<ForgottenNamespace> };
}): Router {
  const { service } = options;
  const guard = createPermissionGuard(options);
  const router = PromiseRouter();
  router
    .route('/namespaces/:namespace')
    .delete(
      guard(
        deliveryDeletePermission,
        'Delete the delivery data of a namespace',
      ),
      async (req, res) => {
        const { namespace } = parseInput(pathSchema, req.params);
        res.json(await service.forget(namespace));
      },
    )
    .all(methodNotAllowed('DELETE'));
  return router;
}
