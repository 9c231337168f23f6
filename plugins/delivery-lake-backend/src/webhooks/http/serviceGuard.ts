import {
  HttpAuthService,
  PermissionsService,
} from '@backstage/backend-plugin-api';
import { deliveryIngestPermission } from '@slipway/plugin-delivery-lake-common';
import { createPermissionGuard } from '@slipway/portal-kit';
import { NextFunction, Request, Response } from 'express';

/** A middleware that throws what it does not let in. */
export type AsyncGuard = (
  req: Request,
  res: Response,
  next: NextFunction,
) => Promise<void>;

/**
 * Lets service tokens in that may ingest. People may not, whatever they may do
 * otherwise: what counts comes from pipelines.
 */
export function createServiceGuard(options: {
  httpAuth: HttpAuthService;
  permissions: PermissionsService;
}): AsyncGuard {
  const guard = createPermissionGuard(options)(deliveryIngestPermission);
  return async (req, res, next) => {
    await options.httpAuth.credentials(req, { allow: ['service'] });
    guard(req, res, next);
  };
}
