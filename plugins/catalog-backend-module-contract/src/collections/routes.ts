import {
  HttpAuthService,
  PermissionsService,
} from '@backstage/backend-plugin-api';
import { NotFoundError } from '@backstage/errors';
import { catalogLocationDeletePermission } from '@backstage/plugin-catalog-common/alpha';
import {
  createPermissionGuard,
  jsonBody,
  methodNotAllowed,
  parseInput,
} from '@slipway/portal-kit';
import { Router } from 'express';
import PromiseRouter from 'express-promise-router';
import { CollectionProvider } from './CollectionProvider';
import { collectionSchema } from './schemas';

/**
 * Creates the routes `PUT` and `DELETE /collections/{namespace}`, with which clients send entities that
 * the catalog would otherwise read. Users and groups may be among them, so only admins and service
 * tokens may send entities, and only to configured namespaces.
 */
export function createCollectionRoutes(options: {
  httpAuth: HttpAuthService;
  permissions: PermissionsService;
  collections: ReadonlyMap<string, CollectionProvider>;
}): Router {
  const { collections } = options;
  const guard = createPermissionGuard(options);
  const mayDo = (act: string) => guard(catalogLocationDeletePermission, act);
  const router = PromiseRouter();

  const find = (namespace: string): CollectionProvider => {
    const collection = collections.get(namespace);
    if (!collection) {
      throw new NotFoundError(
        `Collection ${namespace} is not in slipway.catalog.collections`,
      );
    }
    return collection;
  };

  router
    .route('/collections/:namespace')
    .put(
      mayDo('Replace a collection of entities'),
      ...jsonBody(),
      async (req, res) => {
        const { entities } = parseInput(collectionSchema, req.body);
        await find(req.params.namespace).replace(entities);
        res.json({ entities: entities.length });
      },
    )
    .delete(mayDo('Remove a collection of entities'), async (req, res) => {
      await find(req.params.namespace).replace([]);
      res.json({ entities: 0 });
    })
    .all(methodNotAllowed('PUT', 'DELETE'));

  return router;
}
