import {
  AuthService,
  DiscoveryService,
  HttpAuthService,
  PermissionsService,
} from '@backstage/backend-plugin-api';
import { NotAllowedError } from '@backstage/errors';
import {
  AuthorizeResult,
  createPermission,
} from '@backstage/plugin-permission-common';
import {
  createPermissionGuard,
  methodNotAllowed,
  nameTarget,
} from '@slipway/portal-kit';
import { Request, Router } from 'express';
import PromiseRouter from 'express-promise-router';
import { DemoRunner } from './DemoRunner';
import type { DemoPart } from './parts/DemoPart';
import { PlatformClient } from './platform/PlatformClient';
import type { DemoState } from './storage/DatabaseDemoState';

/** Allows admins to load and remove the demo organisation. */
export const demoManagePermission = createPermission({
  name: 'demo.admin.manage',
  attributes: { action: 'update' },
});

/**
 * Creates the routes of `/organisation`: reads the state of the demo organisation, loads
 * (`POST`) and removes (`DELETE`) it.
 */
export function createDemoRoutes(options: {
  auth: AuthService;
  discovery: DiscoveryService;
  httpAuth: HttpAuthService;
  permissions: PermissionsService;
  runner: DemoRunner;
  parts: readonly DemoPart[];
  /** Reason why it cannot be loaded; undefined if admins may load it. */
  refusal: string | undefined;
}): Router {
  const { auth, discovery, httpAuth, permissions, runner, refusal } = options;
  const guard = createPermissionGuard(options);
  const mayDo = (act: string) => guard(demoManagePermission, act);
  const router = PromiseRouter();

  const credentialsOf = (req: Request) =>
    httpAuth.credentials(req, { allow: ['user'] });
  const mayManage = async (req: Request) => {
    const [{ result }] = await permissions.authorize(
      [{ permission: demoManagePermission }],
      { credentials: await credentialsOf(req) },
    );
    return result === AuthorizeResult.ALLOW;
  };
  const requestOf = async (req: Request) => {
    const credentials = await credentialsOf(req);
    return {
      by: credentials.principal.userEntityRef,
      platform: new PlatformClient({ auth, discovery, credentials }),
    };
  };

  router
    .route('/organisation')
    .get(async (req, res) => {
      const state = await runner.state();
      res.json({
        ...present(state),
        mayManage: await mayManage(req),
        refusal: refusal ?? null,
        writes: options.parts.map(({ id, title, writes }) => ({
          id,
          title,
          writes,
        })),
      });
    })
    .post(mayDo('Load the demo organisation'), async (req, res) => {
      const request = await requestOf(req);
      if (refusal !== undefined) {
        throw new NotAllowedError(refusal);
      }
      nameTarget(req, null);
      res.status(202).json(present(await runner.load(request)));
    })
    .delete(mayDo('Remove the demo organisation'), async (req, res) => {
      const request = await requestOf(req);
      nameTarget(req, null);
      res.status(202).json(present(await runner.remove(request)));
    })
    .all(methodNotAllowed('GET', 'POST', 'DELETE'));

  return router;
}

function present(state: DemoState | undefined) {
  return state
    ? {
        phase: state.phase,
        startedBy: state.startedBy,
        startedAt: new Date(state.startedAt).toISOString(),
        steps: state.steps,
        error: state.error,
      }
    : {
        phase: 'absent',
        startedBy: null,
        startedAt: null,
        steps: [],
        error: null,
      };
}
