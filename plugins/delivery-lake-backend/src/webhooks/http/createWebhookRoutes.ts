import {
  HttpAuthService,
  PermissionsService,
} from '@backstage/backend-plugin-api';
import { AuthenticationError, InputError } from '@backstage/errors';
import {
  eventHeaderOf,
  eventOf,
  Forge,
  FORGES,
  hasSignature,
  isSigned,
} from '@slipway/platform-guards';
import { methodNotAllowed } from '@slipway/portal-kit';
import { NextFunction, Request, RequestHandler, Router } from 'express';
import PromiseRouter from 'express-promise-router';
import { DeliveryLakeConfig } from '../../config';
import { IngestService } from '../../ingest/IngestService';
import { createIngestGuard } from '../../ingest/routes';
import { mapDelivery } from '../mapDelivery';
import { createCloudEventsHandler } from './cloudEventsRoute';
import {
  bodyOf,
  bytesOf,
  deliveryKey,
  deliveryResponse,
  headersOf,
  messageOf,
  payloadOf,
  rawBody,
  storableType,
} from './delivery';
import { createDevlakeHandler, DEVLAKE_PATH } from './devlakeRoute';

/** Why a delivery is not believed; names the setting where it is that which is missing. */
function complaint(options: {
  forge: Forge;
  secrets: string[];
  signed: boolean | undefined;
}): string {
  const { forge, secrets, signed } = options;
  if (secrets.length === 0) {
    return `Webhooks of ${forge} need a secret in deliveryLake.webhooks.${forge}.secrets, or a service token`;
  }
  return signed === undefined
    ? 'The delivery is not signed'
    : 'The signature does not match';
}

/**
 * Reads the body of a delivery and lets it in when its forge signed it, or when it comes
 * with a service token. Nothing is made of the bytes before that, and those of a delivery
 * that no signature can vouch for are not read unless its token is good.
 *
 * @param options.guard - checks the caller's own credentials.
 * @returns a middleware that fails with AuthenticationError for all others.
 */
function createForgeGuard(options: {
  forge: Forge;
  secrets: string[];
  guard: RequestHandler;
}): RequestHandler {
  const { forge, secrets, guard } = options;
  const read = rawBody();
  return (req, res, next) => {
    const header = headersOf(req);
    const askForToken = (signed: boolean | undefined, admit: NextFunction) => {
      // After the signature: a hook may carry a token that is meant for a proxy.
      if (/^bearer /i.test(req.get('authorization') ?? '')) {
        guard(req, res, admit);
      } else {
        next(new AuthenticationError(complaint({ forge, secrets, signed })));
      }
    };
    if (secrets.length === 0 || !hasSignature(forge, header)) {
      askForToken(undefined, error =>
        error ? next(error) : read(req, res, next),
      );
      return;
    }
    read(req, res, error => {
      if (error) {
        next(error);
        return;
      }
      const delivery = {
        header,
        body: bytesOf(req),
        // Not every forge signs it, and to decode a form takes time.
        get message() {
          return messageOf(req);
        },
      };
      const signed = isSigned({ forge, secrets, delivery });
      if (signed) {
        next();
      } else {
        askForToken(signed, next);
      }
    });
  };
}

function typeOf(req: Request, forge: Forge): string {
  const event = eventOf(forge, headersOf(req));
  if (!event) {
    throw new InputError(`The header ${eventHeaderOf(forge)} is missing`);
  }
  return storableType(event.toLocaleLowerCase('en-US'));
}

/**
 * Takes deliveries of one forge that were let in. What cannot be used is answered
 * with 200 and the reason: forges switch off hooks that answer with errors.
 */
function createForgeHandler(options: {
  forge: Forge;
  config: DeliveryLakeConfig;
  ingest: IngestService;
}): RequestHandler {
  const { forge, config, ingest } = options;
  return async (req, res) => {
    const delivery = {
      channel: forge,
      type: typeOf(req, forge),
      key: deliveryKey({ forge, header: headersOf(req), rawBody: bodyOf(req) }),
      body: payloadOf(req),
    };
    const { items, ignored } = mapDelivery(delivery, config);
    const taken = await ingest.ingestDelivery(delivery, items, ignored);
    res.json(deliveryResponse(taken, ignored));
  };
}

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
