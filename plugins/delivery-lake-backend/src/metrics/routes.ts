import {
  HttpAuthService,
  PermissionsService,
} from '@backstage/backend-plugin-api';
import { deliveryReadPermission } from '@slipway/plugin-delivery-lake-common';
import {
  createPermissionGuard,
  methodNotAllowed,
  parseInput,
} from '@slipway/portal-kit';
import { Router } from 'express';
import PromiseRouter from 'express-promise-router';
import {
  breakdownQuerySchema,
  metricsQuerySchema,
  seriesQuerySchema,
} from '../scope/querySchemas';
import { DoraService } from './DoraService';

/** Creates the routes of the metrics: the contract's and those for the pages. */
export function createMetricsRoutes(options: {
  httpAuth: HttpAuthService;
  permissions: PermissionsService;
  service: DoraService;
}): Router {
  const { service } = options;
  const guard = createPermissionGuard(options);
  const router = PromiseRouter();

  router
    .route('/dora-metrics')
    .get(guard(deliveryReadPermission), async (req, res) => {
      res.json(
        await service.metrics(parseInput(metricsQuerySchema, req.query)),
      );
    })
    .all(methodNotAllowed('GET'));

  router
    .route('/dora-series')
    .get(guard(deliveryReadPermission), async (req, res) => {
      res.json(await service.series(parseInput(seriesQuerySchema, req.query)));
    })
    .all(methodNotAllowed('GET'));

  router
    .route('/breakdown')
    .get(guard(deliveryReadPermission), async (req, res) => {
      const query = parseInput(breakdownQuerySchema, req.query);
      res.json(await service.breakdown(query));
    })
    .all(methodNotAllowed('GET'));

  router
    .route('/improvements')
    .get(guard(deliveryReadPermission), async (req, res) => {
      const query = parseInput(metricsQuerySchema, req.query);
      res.json(await service.improvements(query));
    })
    .all(methodNotAllowed('GET'));

  return router;
}
