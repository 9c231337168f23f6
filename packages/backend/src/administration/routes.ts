import type {
  HttpAuthService,
  PermissionsService,
} from '@backstage/backend-plugin-api';
import { AUDIT_LIMITS, type DatabaseAuditLog } from '@slipway/entity-contract';
import {
  administrationPermission,
  createPermissionGuard,
  methodNotAllowed,
  parseInput,
} from '@slipway/portal-kit';
import type { Router } from 'express';
import PromiseRouter from 'express-promise-router';
import { z } from 'zod';
import { version } from '../../package.json';
import type { ProxyEndpoint } from '../serviceProxy/endpoints';
import { healthOf, type PartHealth } from './partsHealth';

const USUAL_MS = 30 * 86_400_000;

const momentSchema = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 timestamp' })
  .transform(text => Date.parse(text))
  .optional();

const querySchema = z.object({
  from: momentSchema,
  to: momentSchema,
  q: z
    .string()
    .trim()
    .max(200)
    // Not every database can store or compare them.
    .regex(/^\P{Cc}*$/u, 'must not contain control characters')
    .optional(),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(AUDIT_LIMITS.most)
    .default(AUDIT_LIMITS.usual),
});

/**
 * Creates the routes `GET /audit`, which lists what admins did in the portal, with the same query
 * and response as in the services, and `GET /health`, which reports the health of the platform's
 * parts.
 */
export function createAdministrationRoutes(options: {
  httpAuth: HttpAuthService;
  permissions: PermissionsService;
  log: Pick<DatabaseAuditLog, 'list'>;
  failing(): Promise<string[]>;
  services: readonly Pick<ProxyEndpoint, 'service' | 'target'>[];
}): Router {
  const { failing, log, services } = options;
  const guard = createPermissionGuard(options);
  const router = PromiseRouter();
  router
    .route('/audit')
    .get(guard(administrationPermission), async (req, res) => {
      const { q, limit, ...period } = parseInput(querySchema, req.query);
      // Entries of the current millisecond must be included.
      const { to = Date.now() + 1 } = period;
      const { from = to - USUAL_MS } = period;
      res.json(await log.list({ from, to, text: q || undefined, limit }));
    })
    .all(methodNotAllowed('GET'));
  router
    .route('/health')
    .get(guard(administrationPermission), async (_req, res) => {
      const [own, ...others] = await Promise.all([
        failing(),
        ...services.map(healthOf),
      ]);
      const portal: PartHealth = {
        name: 'portal',
        state: own.length > 0 ? 'degraded' : 'up',
        version,
        failing: own,
      };
      res.json({ parts: [portal, ...others] });
    })
    .all(methodNotAllowed('GET'));
  return router;
}
