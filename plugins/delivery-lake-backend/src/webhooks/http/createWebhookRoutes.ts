import {
  HttpAuthService,
  PermissionsService,
} from '@backstage/backend-plugin-api';
import { InputError } from '@backstage/errors';
import {
  eventHeaderOf,
  eventOf,
  Forge,
  FORGES,
} from '@slipway/platform-guards';
import { methodNotAllowed } from '@slipway/portal-kit';
import { Request, RequestHandler, Router } from 'express';
import PromiseRouter from 'express-promise-router';
import { DeliveryLakeConfig } from '../../config';
import { CONNECTION_WEBHOOK_PATH } from '../../connections/routes';
import { RawDelivery } from '../../events/LakeEvent';
import { IngestService } from '../../ingest/IngestService';
import { createIngestGuard } from '../../ingest/routes';
import type { Connection } from '../../storage/DatabaseConnectionStore';
import { mapDelivery } from '../mapDelivery';
import { createCloudEventsHandler } from './cloudEventsRoute';
import {
  type ConnectionDeliveries,
  createConnectionRoute,
  repositoryOf,
} from './connectionRoute';
import {
  bodyOf,
  deliveryKey,
  deliveryResponse,
  headersOf,
  payloadOf,
  rawBody,
  storableType,
} from './delivery';
import { createDevlakeHandler, DEVLAKE_PATH } from './devlakeRoute';
import { createForgeGuard } from './forgeGuard';

function typeOf(req: Request, forge: Forge): string {
  const event = eventOf(forge, headersOf(req));
  if (!event) {
    throw new InputError(`The header ${eventHeaderOf(forge)} is missing`);
  }
  return storableType(event.toLocaleLowerCase('en-US'));
}

/**
 * Creates the handler for authenticated deliveries of a forge. Unusable deliveries get a
 * 200 with the reason, because forges disable hooks that return errors.
 */
function createForgeHandler(options: {
  forge: Forge;
  config: DeliveryLakeConfig;
  ingest: IngestService;
}): RequestHandler {
  const { forge, config, ingest } = options;
  return async (req, res) => {
    const delivery = deliveryOf(req, forge);
    const { items, ignored } = mapDelivery(delivery, config);
    const ingested = await ingest.ingestDelivery(delivery, items, ignored);
    res.json(deliveryResponse(ingested, ignored));
  };
}

function deliveryOf(req: Request, forge: Forge): RawDelivery {
  return {
    channel: forge,
    type: typeOf(req, forge),
    key: deliveryKey({ forge, header: headersOf(req), rawBody: bodyOf(req) }),
    body: payloadOf(req),
  };
}

/** Ingests a delivery of a connection, unless it is about another repository. */
async function receiveOfConnection(
  req: Request,
  options: {
    connection: Connection;
    config: DeliveryLakeConfig;
    ingest: IngestService;
  },
) {
  const { connection, config, ingest } = options;
  const delivery = deliveryOf(req, connection.forge);
  const named = repositoryOf(connection.forge, delivery.body);
  const isOther =
    named?.toLocaleLowerCase('en-US') !==
    connection.repository.toLocaleLowerCase('en-US');
  const mapped = isOther
    ? {
        items: [],
        ignored: `The delivery is about ${named ?? 'no repository'}; this connection is for ${connection.repository}`,
      }
    : mapDelivery(delivery, config);
  const ingested = await ingest.ingestDelivery(
    delivery,
    mapped.items,
    mapped.ignored,
  );
  const response = deliveryResponse(ingested, mapped.ignored);
  return {
    event: delivery.type,
    accepted: response.accepted,
    ignored: response.ignored ?? null,
    response,
  };
}

/**
 * Paths that are reachable without the portal's credentials
 * (`httpRouter.addAuthPolicy({ path, allow: 'unauthenticated' })`): their senders sign the
 * deliveries instead.
 */
export const SIGNED_WEBHOOK_PATHS: readonly string[] = [
  ...FORGES.map(forge => `/webhooks/${forge}`),
  CONNECTION_WEBHOOK_PATH,
];

/**
 * `POST /webhooks/{github|gitlab|gitea|forgejo}`, `POST /webhooks/connections/{id}`,
 * `POST /webhooks/devlake/…` and `POST /events`. They parse bodies themselves, because signatures cover the raw bytes.
 */
export function createWebhookRoutes(options: {
  httpAuth: HttpAuthService;
  permissions: PermissionsService;
  ingest: IngestService;
  config: DeliveryLakeConfig;
  connections: ConnectionDeliveries;
  now?: () => number;
}): Router {
  const { config, connections, ingest, now = Date.now } = options;
  const guard = createIngestGuard(options);
  const router = PromiseRouter();

  for (const forge of FORGES) {
    router
      .route(`/webhooks/${forge}`)
      .post(
        createForgeGuard({
          forge,
          secrets: config.webhooks[forge].secrets,
          guard: Router().use(...guard),
          onSigned: () => connections.receivedFrom(forge, now()),
        }),
        createForgeHandler({ forge, config, ingest }),
      )
      .all(methodNotAllowed('POST'));
  }
  router.use(
    createConnectionRoute({
      connections,
      guard: Router().use(...guard),
      receive: (req, connection) =>
        receiveOfConnection(req, { connection, config, ingest }),
      now,
    }),
  );
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
