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
import type { DeletionPreview } from '../storage/personDeletion';

/** A single letter, or only punctuation, would occur in nearly every text. */
const personName = z
  .string()
  .trim()
  .min(2)
  .max(255)
  .regex(/[\p{L}\p{N}].*[\p{L}\p{N}]/u, 'needs two letters or digits');

const deletionSchema = z.strictObject({
  names: z.array(personName).min(1).max(50),
});

const previewSchema = deletionSchema.extend({
  after: z.int().min(0).default(0),
});

/**
 * Creates `POST /people/deletions`, which starts deleting the names of a person, and its preview,
 * which counts, one part of the deliveries at a time, what the deletion would empty.
 */
export function createPeopleRoutes(options: {
  httpAuth: HttpAuthService;
  permissions: PermissionsService;
  service: Pick<JobService, 'startDeletion'>;
  preview: (
    names: readonly string[],
    after: number,
  ) => Promise<DeletionPreview>;
}): Router {
  const { service, preview } = options;
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
  router
    .route('/people/deletions/preview')
    .post(
      guard(deliveryDeletePermission, 'Preview the deletion of a person'),
      ...jsonBody(),
      async (req, res) => {
        const { names, after } = parseInput(previewSchema, req.body);
        nameTarget(req, null);
        res.json(await preview(names, after));
      },
    )
    .all(methodNotAllowed('POST'));
  return router;
}
