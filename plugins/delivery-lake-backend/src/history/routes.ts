import {
  deliveryAuthorsPermission,
  deliveryReadPermission,
} from '@slipway/plugin-delivery-lake-common';
import {
  createPermissionGuard,
  methodNotAllowed,
  parseInput,
} from '@slipway/portal-kit';
import { Router } from 'express';
import PromiseRouter from 'express-promise-router';
import { HistoryService } from './HistoryService';
import { type AccessServices, ownsOrMay } from './ownership';
import { DEPLOYMENT_CSV, INCIDENT_CSV, sendCsv } from './present';
import {
  deploymentExportSchema,
  deploymentsQuerySchema,
  historyQuerySchema,
  incidentExportSchema,
  incidentsQuerySchema,
  runningQuerySchema,
} from './schemas';

/**
 * Creates the read-only routes of deployments and incidents: the contract's history and the
 * lists of the pages. The ingest routes handle the other methods of `/deployments` and
 * `/incidents`.
 */
export function createHistoryRoutes(
  options: AccessServices & { service: HistoryService },
): Router {
  const { service, httpAuth } = options;
  const guard = createPermissionGuard(options);
  const router = PromiseRouter();

  router
    .route('/deployment-history')
    .get(guard(deliveryReadPermission), async (req, res) => {
      const query = parseInput(historyQuerySchema, req.query);
      res.json(await service.history(query));
    })
    .all(methodNotAllowed('GET'));

  router
    .route('/running')
    .get(guard(deliveryReadPermission), async (req, res) => {
      const query = parseInput(runningQuerySchema, req.query);
      res.json(await service.running(query));
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
      const permission = deliveryAuthorsPermission;
      const credentials = await httpAuth.credentials(req);
      const deployment = await service.deployment(req.params.id, team =>
        ownsOrMay(credentials, { ...options, team, permission }),
      );
      res.json(deployment);
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
