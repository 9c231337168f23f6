import {
  HttpAuthService,
  PermissionsService,
} from '@backstage/backend-plugin-api';
import { FORGES } from '@slipway/forge-webhooks';
import { methodNotAllowed } from '@slipway/portal-kit';
import { Router } from 'express';
import PromiseRouter from 'express-promise-router';
import { DeliveryLakeConfig } from '../../config';
import { IngestService } from '../../ingest/IngestService';
import { createIngestGuard } from '../../ingest/routes';
import { createCloudEventsHandler } from './cloudEventsRoute';
import { createDevlakeHandler, DEVLAKE_PATH } from './devlakeRoute';
import { createForgeGuard } from './forgeGuard';
import { createForgeHandler } from './forgeRoute';
import { rawBody } from './rawBody';

/**
 * Paths that must be reachable without the portal's credentials
 * (`httpRouter.addAuthPolicy({ path, allow: 'unauthenticated' })`): their senders
 * sign what they send instead.
 */
export const SIGNED_WEBHOOK_PATHS: readonly string[] = FORGES.map(
  forge => `/webhooks/${forge}`,
);

/**
 * `POST /webhooks/{github|gitlab|gitea|forgejo}`, `POST /webhooks/devlake/…` and
 * `POST /events`. They parse bodies themselves: signatures are over what was sent.
 */
export function createWebhookRoutes(options: {
  httpAuth: HttpAuthService;
  permissions: PermissionsService;
  ingest: IngestService;
  config: DeliveryLakeConfig;
}): Router {
  const { config, ingest } = options;
  const guard = createIngestGuard(options);
  const router = PromiseRouter();

  for (const forge of FORGES) {
    router
      .route(`/webhooks/${forge}`)
      .post(
        rawBody(),
        createForgeGuard({
          forge,
          secrets: config.webhooks[forge].secrets,
          guard: Router().use(...guard),
        }),
        createForgeHandler({ forge, config, ingest }),
      )
      .all(methodNotAllowed('POST'));
  }
  router
    .route(`${DEVLAKE_PATH}/*`)
    .post(...guard, rawBody(), createDevlakeHandler({ config, ingest }))
    .all(methodNotAllowed('POST'));
  router
    .route('/events')
    .post(...guard, rawBody(), createCloudEventsHandler({ config, ingest }))
    .all(methodNotAllowed('POST'));
  return router;
}
