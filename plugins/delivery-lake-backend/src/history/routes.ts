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
import { DEPLOYMENT_CSV, INCIDENT_CSV, sendCsv } from './csv';
import { HistoryService } from './HistoryService';
import {
  deploymentExportSchema,
  deploymentsQuerySchema,
  historyQuerySchema,
  incidentExportSchema,
  incidentsQuerySchema,
} from './schemas';

/**
 * What was deployed and what broke: the contract's history, and the lists behind
 * the pages. Nothing but reading: other methods of `/deployments` and
 * `/incidents` are the business of the routes that take events in, mounted before
 * these or after.
 */
export function createHistoryRoutes(options: {
  httpAuth: HttpAuthService;
  permissions: PermissionsService;
  service: HistoryService;
}): Router {
  const { service } = options;
  const guard = createPermissionGuard(options);
  const router = PromiseRouter();

  router
    .route('/deployment-history')
    .get(guard(deliveryReadPermission), async (req, res) => {
      const query = parseInput(historyQuerySchema, req.query);
      res.json(await service.history(query));
    })
    .all(methodNotAllowed('GET'));

  router.get(
    '/deployments',
    guard(deliveryReadPermission),
    async (req, res) => {
      const query = parseInput(deploymentsQuerySchema, req.query);
      res.json(await service.deployments(query));
    },
  );

  router
    .route('/deployments.csv')
    .get(guard(deliveryReadPermission), async (req, res) => {
      const query = parseInput(deploymentExportSchema, req.query);
      await sendCsv(res, {
        name: 'deployments.csv',
        columns: DEPLOYMENT_CSV,
        items: await service.exportDeployments(query),
      });
    })
    .all(methodNotAllowed('GET'));

  router
    .route('/deployments/:id')
    .get(guard(deliveryReadPermission), async (req, res) => {
      res.json(await service.deployment(req.params.id));
    })
    .all(methodNotAllowed('GET'));

  router.get('/incidents', guard(deliveryReadPermission), async (req, res) => {
    const query = parseInput(incidentsQuerySchema, req.query);
    res.json(await service.incidents(query));
  });

  router
    .route('/incidents.csv')
    .get(guard(deliveryReadPermission), async (req, res) => {
      const query = parseInput(incidentExportSchema, req.query);
      await sendCsv(res, {
        name: 'incidents.csv',
        columns: INCIDENT_CSV,
        items: await service.exportIncidents(query),
      });
    })
    .all(methodNotAllowed('GET'));

  return router;
}
