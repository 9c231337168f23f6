import { randomBytes, randomUUID } from 'node:crypto';
import {
  HttpAuthService,
  PermissionsService,
} from '@backstage/backend-plugin-api';
import { InputError } from '@backstage/errors';
import { isoOf } from '@slipway/entity-contract';
import { FORGES } from '@slipway/platform-guards';
import {
  type ConnectionResponse,
  type CreatedConnectionResponse,
  deliveryConnectPermission,
} from '@slipway/plugin-delivery-lake-common';
import {
  callerOf,
  createPermissionGuard,
  jsonBody,
  methodNotAllowed,
  nameTarget,
  parseInput,
} from '@slipway/portal-kit';
import { Router } from 'express';
import PromiseRouter from 'express-promise-router';
import { z } from 'zod';
import { repositoryName } from '../events/repositoryName';
import type {
  Connection,
  DatabaseConnectionStore,
} from '../storage/DatabaseConnectionStore';

const SECRET_BYTES = 32;

const connectionSchema = z.strictObject({
  forge: z.enum(FORGES),
  /** A clone URL, a page of the repository, or `owner/name`. */
  repository: z.string().min(1).max(2_048),
});

/** Path of the webhook of a connection, below that of the plugin. */
export const CONNECTION_WEBHOOK_PATH = '/webhooks/connections';

/**
 * Routes with which admins connect repositories: each connection has an address and a
 * secret for the webhook of its repository. The secret is only shown when it is created.
 *
 * @param options.baseUrl - the plugin's URL as forges reach it.
 */
export function createConnectionRoutes(options: {
  httpAuth: HttpAuthService;
  permissions: PermissionsService;
  store: DatabaseConnectionStore;
  baseUrl: string;
  now?: () => number;
}): Router {
  const { httpAuth, store, baseUrl, now = Date.now } = options;
  const guard = createPermissionGuard(options);
  const mayRead = guard(deliveryConnectPermission);
  const mayDo = (act: string) => guard(deliveryConnectPermission, act);
  const router = PromiseRouter();

  const present = (connection: Connection): ConnectionResponse => ({
    ...connection,
    createdAt: isoOf(connection.createdAt),
    lastDelivery: connection.lastDelivery && {
      ...connection.lastDelivery,
      at: isoOf(connection.lastDelivery.at),
    },
    lastRefusedAt: isoOf(connection.lastRefusedAt),
    webhookUrl: `${baseUrl}${CONNECTION_WEBHOOK_PATH}/${connection.id}`,
  });

  const presentNew = (
    connection: Connection,
    secret: string,
  ): CreatedConnectionResponse => ({ ...present(connection), secret });

  router
    .route('/connections')
    .get(mayRead, async (_req, res) => {
      res.json({ connections: (await store.list()).map(present) });
    })
    .post(mayDo('Connect a repository'), ...jsonBody(), async (req, res) => {
      const body = parseInput(connectionSchema, req.body);
      const repository = repositoryName(body.repository);
      if (repository === undefined || repository.length > 255) {
        throw new InputError(
          'repository: must be the address of a repository, or owner/name',
        );
      }
      nameTarget(req, repository);
      const secret = newSecret();
      const connection = await store.add({
        id: `connection-${randomUUID()}`,
        forge: body.forge,
        repository,
        createdBy: callerOf(await httpAuth.credentials(req)).ref,
        createdAt: now(),
        secret,
      });
      res.status(201).json(presentNew(connection, secret));
    })
    .all(methodNotAllowed('GET', 'POST'));

  router
    .route('/connections/:id')
    .get(mayRead, async (req, res) => {
      res.json(present(await store.get(req.params.id)));
    })
    .delete(mayDo('Disconnect a repository'), async (req, res) => {
      const { id, repository } = await store.get(req.params.id);
      nameTarget(req, repository);
      await store.remove(id);
      res.status(204).end();
    })
    .all(methodNotAllowed('GET', 'DELETE'));

  router
    .route('/connections/:id/secret')
    .post(
      mayDo('Replace the secret of a connected repository'),
      async (req, res) => {
        const secret = newSecret();
        const connection = await store.replaceSecret(req.params.id, secret);
        nameTarget(req, connection.repository);
        res.json(presentNew(connection, secret));
      },
    )
    .all(methodNotAllowed('POST'));

  return router;
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
