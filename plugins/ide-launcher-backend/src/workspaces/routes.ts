import {
  HttpAuthService,
  PermissionsService,
} from '@backstage/backend-plugin-api';
import {
  isolationAcceptPermission,
  workspaceCreatePermission,
  workspaceDeletePermission,
  workspaceImportPermission,
  workspaceReadPermission,
  workspaceUpdatePermission,
} from '@slipway/plugin-ide-launcher-common';
import {
  createPermissionGuard,
  jsonBody,
  methodNotAllowed,
  parseInput,
} from '@slipway/portal-kit';
import { Request, Response, Router } from 'express';
import PromiseRouter from 'express-promise-router';
import { TooManyPreviewsError } from './PreviewLimit';
import {
  createFromRepositorySchema,
  CreateWorkspace,
  createWorkspaceSchema,
  importPathSchema,
  importSchema,
  listQuerySchema,
  logsQuerySchema,
  previewSchema,
  ticketSchema,
} from './schemas';
import { WorkspaceImports } from './WorkspaceImports';
import { WorkspaceService } from './WorkspaceService';

/** Creates the workspace routes of group A, and those in addition to the contract. */
export function createWorkspaceRoutes(options: {
  httpAuth: HttpAuthService;
  permissions: PermissionsService;
  service: WorkspaceService;
  imports: WorkspaceImports;
}): Router {
  const { httpAuth, imports, service } = options;
  const guard = createPermissionGuard(options);
  const router = PromiseRouter();
  const caller = async (req: Request) => ({
    credentials: await httpAuth.credentials(req, {
      allow: ['user', 'service'],
    }),
  });

  router
    .route('/workspaces')
    .get(guard(workspaceReadPermission), async (req, res) => {
      const filter = parseInput(listQuerySchema, req.query);
      res.json(await service.list(filter, await caller(req)));
    })
    .post(guard(workspaceCreatePermission), ...jsonBody(), async (req, res) => {
      const request = parseCreation(req.body);
      res.status(201).json(await service.create(request, await caller(req)));
    })
    .all(methodNotAllowed('GET', 'POST'));

  router
    .route('/workspaces/:id')
    .get(guard(workspaceReadPermission), async (req, res) => {
      res.json(await service.get(req.params.id, await caller(req)));
    })
    .delete(guard(workspaceDeletePermission), async (req, res) => {
      await service.delete(req.params.id, await caller(req));
      res.status(204).end();
    })
    .all(methodNotAllowed('GET', 'DELETE'));

  for (const action of ['start', 'stop', 'extend'] as const) {
    router
      .route(`/workspaces/:id/${action}`)
      .post(guard(workspaceUpdatePermission), async (req, res) => {
        res.json(await service[action](req.params.id, await caller(req)));
      })
      .all(methodNotAllowed('POST'));
  }

  router
    .route('/workspaces/:id/devfile')
    .post(guard(workspaceUpdatePermission), async (req, res) => {
      res.json(await service.updateDevfile(req.params.id, await caller(req)));
    })
    .all(methodNotAllowed('POST'));

  router
    .route('/workspaces/:id/logs')
    .get(guard(workspaceReadPermission), async (req, res) => {
      const query = parseInput(logsQuerySchema, req.query);
      res.json(await service.logs(req.params.id, query, await caller(req)));
    })
    .all(methodNotAllowed('GET'));

  router
    .route('/workspaces/:id/ticket')
    .post(guard(workspaceUpdatePermission), ...jsonBody(), async (req, res) => {
      const request = parseInput(ticketSchema, req.body);
      res.json(
        await service.createTicket(req.params.id, request, await caller(req)),
      );
    })
    .all(methodNotAllowed('POST'));

  router
    .route('/sessions')
    .delete(guard(workspaceReadPermission), async (req, res) => {
      await service.endSessions(await caller(req));
      res.status(204).end();
    })
    .all(methodNotAllowed('DELETE'));

  router
    .route('/imports')
    .post(
      guard(workspaceImportPermission, 'Import workspaces for their owners'),
      ...jsonBody(),
      async (req, res) => {
        const request = parseInput(importSchema, req.body);
        res.status(201).json(await imports.import(request));
      },
    )
    .all(methodNotAllowed('POST'));

  router
    .route('/imports/:source')
    .delete(
      guard(workspaceImportPermission, 'Delete an import of workspaces'),
      async (req, res) => {
        const { source } = parseInput(importPathSchema, req.params);
        res.json(await imports.delete(source));
      },
    )
    .all(methodNotAllowed('DELETE'));

  router
    .route('/devfile/preview')
    .post(guard(workspaceCreatePermission), ...jsonBody(), async (req, res) => {
      const request = parseInput(previewSchema, req.body);
      const signal = closeSignal(res);
      const call = { ...(await caller(req)), signal };
      try {
        res.json(await service.preview(request, call));
      } catch (error) {
        if (error instanceof TooManyPreviewsError) {
          res.set('Retry-After', String(error.retryAfter));
        }
        // If aborted, the client no longer waits for the response.
        if (!signal.aborted) {
          throw error;
        }
      }
    })
    .all(methodNotAllowed('POST'));

  router
    .route('/options')
    .get(guard(workspaceReadPermission), async (req, res) => {
      res.json(await service.options(await caller(req)));
    })
    .all(methodNotAllowed('GET'));

  router
    .route('/isolation/consent')
    .post(guard(isolationAcceptPermission), async (req, res) => {
      res.json(await service.acceptUnisolated(await caller(req)));
    })
    .all(methodNotAllowed('POST'));

  return router;
}

/** Returns a signal that aborts when the client disconnects, e.g. because its user keeps typing. */
function closeSignal(res: Response): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => controller.abort());
  return controller.signal;
}

function parseCreation(body: unknown): CreateWorkspace {
  const namesRepository =
    typeof body === 'object' && body !== null && 'repositoryUrl' in body;
  return namesRepository
    ? parseInput(createFromRepositorySchema, body)
    : parseInput(createWorkspaceSchema, body);
}
