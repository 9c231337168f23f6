import {
  HttpAuthService,
  PermissionsService,
} from '@backstage/backend-plugin-api';
import { AuthenticationError, InputError } from '@backstage/errors';
import {
  eventHeaderOf,
  eventOf,
  Forge,
  Sender,
  SENDERS,
} from '@slipway/platform-guards';
import { methodNotAllowed } from '@slipway/portal-kit';
import { Request, RequestHandler, Router } from 'express';
import PromiseRouter from 'express-promise-router';
import { DeliveryLakeConfig } from '../../config';
import { CONNECTION_WEBHOOK_PATH } from '../../connections/routes';
import type { RawDelivery } from '../../events/Delivery';
import { IngestService } from '../../ingest/IngestService';
import { createIngestGuard } from '../../ingest/routes';
import type {
  Connection,
  DatabaseConnectionStore,
} from '../../storage/DatabaseConnectionStore';
import type { DeployedNames } from '../../storage/DeployedNames';
import {
  mapDelivery,
  repositoryIn,
  trackerReader,
  withService,
} from '../mapDelivery';
import { createCloudEventsHandler } from './cloudEventsRoute';
import {
  bodyOf,
  deliveryKey,
  type DeliveryResponse,
  deliveryResponse,
  headersOf,
  payloadOf,
  rawBody,
  storableType,
} from './delivery';
import { createDevlakeHandler, DEVLAKE_PATH } from './devlakeRoute';
import { createForgeGuard } from './forgeGuard';

/** Finds connections and records the outcomes of their deliveries. */
type ConnectionDeliveries = Pick<
  DatabaseConnectionStore,
  'findRepository' | 'findWithSecret' | 'received' | 'receivedFrom' | 'refused'
>;

/** The parts that handle an authenticated delivery. */
interface Receiving {
  config: DeliveryLakeConfig;
  connections: ConnectionDeliveries;
  ingest: Pick<IngestService, 'ingestDelivery'>;
  /** Finds the service that a tracker's delivery is about. */
  deployed: Pick<DeployedNames, 'find'>;
}

/** Returns the event type of a delivery. @throws InputError if it does not name one. */
function typeOf(req: Request, forge: Sender, payload: unknown): string {
  const tracker = trackerReader(forge);
  const event = tracker
    ? tracker.eventOf(payload)
    : eventOf(forge as Forge, headersOf(req));
  if (!event) {
    throw new InputError(
      tracker
        ? 'The body does not name its event'
        : `The header ${eventHeaderOf(forge as Forge)} is missing`,
    );
  }
  return storableType(event.toLocaleLowerCase('en-US'));
}

/** Returns the facts that are needed to interpret a delivery to the common webhook. */
async function commonContext(
  connections: ConnectionDeliveries,
  { forge, payload }: { forge: Sender; payload: unknown },
): Promise<RawDelivery['context']> {
  if (trackerReader(forge)) {
    return undefined;
  }
  const named = repositoryIn(forge, payload);
  const connected = named && (await connections.findRepository(forge, named));
  return connected ? { connected } : undefined;
}

/**
 * Ingests an authenticated delivery. The response to an unusable delivery is 200 with the reason,
 * because senders disable hooks that return errors.
 *
 * @param options.connection - the connection it was sent to; it may only be about its repository.
 */
async function receive(
  req: Request,
  options: Receiving & {
    forge: Sender;
    connection?: Pick<Connection, 'id' | 'repository'>;
  },
): Promise<{ type: string; response: DeliveryResponse }> {
  const { forge, connection, config, connections, ingest, deployed } = options;
  const { text, payload } = payloadOf(req);
  const type = typeOf(req, forge, payload);
  const received = {
    channel: forge,
    type,
    key: deliveryKey({
      forge,
      header: headersOf(req),
      rawBody: bodyOf(req),
      scope: connection?.id ?? trackerReader(forge)?.accountOf(payload),
    }),
    body: text,
    context: connection
      ? { repository: connection.repository }
      : await commonContext(connections, { forge, payload }),
  };
  const delivery = await withService(received, deployed);
  const { items, ignored } = mapDelivery(delivery, config);
  const ingested = await ingest.ingestDelivery(delivery, items, ignored);
  return {
    type: delivery.type,
    response: deliveryResponse(ingested, ignored),
  };
}

/**
 * Creates the handler for deliveries of connected repositories, which are signed with the
 * connection's own secret. Records the outcome of the last one for the person who sets up the
 * webhook.
 *
 * @param options.guard - checks the caller's own credentials.
 */
function createConnectionHandler(
  options: Receiving & { guard: RequestHandler; now: () => number },
): RequestHandler {
  const { guard, connections, now } = options;
  return async (req, res) => {
    const connection = await connections.findWithSecret(req.params.id);
    if (!connection) {
      // The same error as for a wrong signature, so that callers cannot find out which connections
      // exist.
      throw new AuthenticationError('The signature does not match');
    }
    const { id, forge, secret } = connection;
    const check = createForgeGuard({ forge, secrets: [secret], guard });
    try {
      await new Promise<void>((resolve, reject) =>
        check(req, res, error => (error ? reject(error) : resolve())),
      );
    } catch (error) {
      if (error instanceof AuthenticationError) {
        await connections.refused(id, now());
      }
      throw error;
    }
    const { type, response } = await receive(req, {
      ...options,
      ...{ forge, connection },
    });
    await connections.received(id, {
      at: now(),
      event: type,
      accepted: response.accepted,
      ignored: response.ignored ?? null,
    });
    res.json(response);
  };
}

/**
 * Paths that are reachable without the portal's credentials (`allow: 'unauthenticated'` in
 * `httpRouter.addAuthPolicy`), because their senders sign the deliveries instead.
 */
export const SIGNED_WEBHOOK_PATHS: readonly string[] = [
  ...SENDERS.map(forge => `/webhooks/${forge}`),
  CONNECTION_WEBHOOK_PATH,
];

/**
 * Creates the routes `/webhooks/{github|gitlab|gitea|forgejo|pagerduty|jira}`,
 * `/webhooks/connections/{id}`, `/webhooks/devlake/…` and `/events`, all for POST. They parse
 * bodies themselves, because signatures cover the raw bytes.
 */
export function createWebhookRoutes(
  options: Receiving & {
    httpAuth: HttpAuthService;
    permissions: PermissionsService;
    now?: () => number;
  },
): Router {
  const { config, connections, ingest, deployed, now = Date.now } = options;
  const receiving = { config, connections, ingest, deployed };
  const guard = createIngestGuard(options);
  const router = PromiseRouter();

  for (const forge of SENDERS) {
    router
      .route(`/webhooks/${forge}`)
      .post(
        createForgeGuard({
          forge,
          secrets: config.webhooks[forge].secrets,
          guard: Router().use(...guard),
          onSigned: () => connections.receivedFrom(forge, now()),
        }),
        async (req, res) => {
          const { response } = await receive(req, { ...receiving, forge });
          res.json(response);
        },
      )
      .all(methodNotAllowed('POST'));
  }
  router
    .route(`${CONNECTION_WEBHOOK_PATH}/:id`)
    .post(
      createConnectionHandler({
        guard: Router().use(...guard),
        ...receiving,
        now,
      }),
    )
    .all(methodNotAllowed('POST'));
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
