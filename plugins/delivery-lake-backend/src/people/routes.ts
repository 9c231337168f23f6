import {
  HttpAuthService,
  PermissionsService,
} from '@backstage/backend-plugin-api';
import { deliveryDeletePermission } from '@slipway/plugin-delivery-lake-common';
import {
  createPermissionGuard,
  jsonBody,
  methodNotAllowed,
  nameTarget,
  parseInput,
} from '@slipway/portal-kit';
import { Router } from 'express';
import PromiseRouter from 'express-promise-router';
import { z } from 'zod';
import type { JobService } from '../jobs/JobService';
import { presentJob } from '../jobs/routes';

/** One letter, or punctuation alone, would be in nearly every text. */
const personName = z
  .string()
  .trim()
  .min(2)
  .max(255)
  .regex(/[\p{L}\p{N}].*[\p{L}\p{N}]/u, 'needs two letters or digits');

const deletionSchema = z.strictObject({
  names: z.array(personName).min(1).max(50),
});

/** Creates `POST /people/deletions`, which starts to delete the names of a person. */
export function createPeopleRoutes(options: {
  httpAuth: HttpAuthService;
  permissions: PermissionsService;
  service: Pick<JobService, 'startDeletion'>;
}): Router {
  const { service } = options;
  const guard = createPermissionGuard(options);
  const router = PromiseRouter();
  router
    .route('/people/deletions')
    .post(
      guard(deliveryDeletePermission, 'Delete the names of a person'),
      ...jsonBody(),
      async (req, res) => {
        const { names } = parseInput(deletionSchema, req.body);
        // The audit log must not contain what was deleted.
        nameTarget(req, null);
        res.status(202).json(presentJob(await service.startDeletion(names)));
      },
    )
    .all(methodNotAllowed('POST'));
  return router;
}
