import {
  AuthService,
  HttpAuthService,
  PermissionsService,
  UserInfoService,
} from '@backstage/backend-plugin-api';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import {
  deliveryAuthorsPermission,
  deliveryReadPermission,
} from '@slipway/plugin-delivery-lake-common';
import {
  createPermissionGuard,
  methodNotAllowed,
  parseInput,
} from '@slipway/portal-kit';
import { Request, Router } from 'express';
import PromiseRouter from 'express-promise-router';
import { HistoryService } from './HistoryService';
import { DEPLOYMENT_CSV, INCIDENT_CSV, sendCsv } from './present';
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
  auth: AuthService;
  httpAuth: HttpAuthService;
  permissions: PermissionsService;
  userInfo: UserInfoService;
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
      const deployment = await service.deployment(req.params.id, team =>
        seesAuthors(req, { ...options, team }),
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

/** Tells whether a request comes from a member of a team, or from one who may see all authors. */
async function seesAuthors(
  req: Request,
  options: {
    auth: AuthService;
    httpAuth: HttpAuthService;
    permissions: PermissionsService;
    userInfo: UserInfoService;
    team: string | null;
  },
): Promise<boolean> {
  const { auth, httpAuth, permissions, userInfo, team } = options;
  const credentials = await httpAuth.credentials(req);
  if (team && auth.isPrincipal(credentials, 'user')) {
    const { ownershipEntityRefs } = await userInfo.getUserInfo(credentials);
    if (ownershipEntityRefs.includes(team)) {
      return true;
    }
  }
  const [{ result }] = await permissions.authorize(
    [{ permission: deliveryAuthorsPermission }],
    { credentials },
  );
  return result === AuthorizeResult.ALLOW;
}
