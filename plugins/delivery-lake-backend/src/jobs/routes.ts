import {
  HttpAuthService,
  PermissionsService,
} from '@backstage/backend-plugin-api';
import { isoOf } from '@slipway/entity-contract';
import { deliveryRebuildPermission } from '@slipway/plugin-delivery-lake-common';
import {
  createPermissionGuard,
  methodNotAllowed,
  nameTarget,
} from '@slipway/portal-kit';
import { Router } from 'express';
import PromiseRouter from 'express-promise-router';
import { Job } from '../storage/DatabaseJobStore';
import { JobService } from './JobService';

/** Presents a job with times in ISO 8601. */
export function presentJob(job: Job) {
  return {
    ...job,
    startedAt: isoOf(job.startedAt),
    updatedAt: isoOf(job.updatedAt),
  };
}

/** Creates the routes that start replays and rebuilds and report their progress. */
export function createJobRoutes(options: {
  httpAuth: HttpAuthService;
  permissions: PermissionsService;
  service: JobService;
}): Router {
  const { service } = options;
  const guard = createPermissionGuard(options);
  const router = PromiseRouter();

  const acts = {
    replay: 'Read all received events again',
    rebuild: 'Rebuild all delivery data',
  };
  for (const kind of ['replay', 'rebuild'] as const) {
    router
      .route(`/${kind}`)
      .post(guard(deliveryRebuildPermission, acts[kind]), async (req, res) => {
        nameTarget(req, null);
        res.status(202).json(presentJob(await service.start(kind)));
      })
      .all(methodNotAllowed('POST'));
  }

  router
    .route('/jobs/:id')
    .get(guard(deliveryRebuildPermission), async (req, res) => {
      res.json(presentJob(await service.get(req.params.id)));
    })
    .all(methodNotAllowed('GET'));

  return router;
}
