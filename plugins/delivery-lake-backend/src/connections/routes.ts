import { randomBytes, randomUUID } from 'node:crypto';
import {
  HttpAuthService,
  PermissionsService,
} from '@backstage/backend-plugin-api';
import { ConflictError, InputError } from '@backstage/errors';
import { isoOf } from '@slipway/entity-contract';
import { SENDER_TITLES, SENDERS } from '@slipway/platform-guards';
import {
  type ConnectionResponse,
  type CreatedConnectionResponse,
  createsSecret,
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
import type {
  Connection,
  DatabaseConnectionStore,
} from '../storage/DatabaseConnectionStore';
import { connectedName, expectedName } from './connectedName';

const SECRET_BYTES = 32;

const connectionSchema = z.strictObject({
  forge: z.enum(SENDERS),
  /** A clone URL, a page of the repository, or `owner/name`; for a tracker, its host or a page. */
  repository: z.string().min(1).max(2_048),
});

const secretSchema = z.strictObject({
  // Visible characters. Spaces around them may have been copied from the sender's page by accident.
  secret: z
    .string()
    .trim()
    .min(16)
    .max(255)
    .regex(/^[\x21-\x7e]+$/, 'must be a secret without spaces'),
});

/** Path of the webhooks of connections, relative to the plugin's base path. */
export const CONNECTION_WEBHOOK_PATH = '/webhooks/connections';

/**
 * Creates the routes with which admins connect repositories and accounts of incident trackers. Each
 * connection has a URL and a secret for its webhook. The secret is shown only when it is created;
 * if the sender creates it, an admin enters it here and it is never shown.
 *
 * @param options.baseUrl - the plugin's URL as senders reach it.
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
  ): CreatedConnectionResponse => {
    const { forge } = connection;
    const shown = present(connection);
    return createsSecret(forge)
      ? { ...shown, forge }
      : { ...shown, forge, secret };
  };

  /** Finds a connection. @throws ConflictError if the other side creates its secret. */
  const find = async (id: string, origin: 'ours' | 'theirs') => {
    const connection = await store.get(id);
    const title = SENDER_TITLES[connection.forge];
    const isTheirs = createsSecret(connection.forge);
    if (isTheirs !== (origin === 'theirs')) {
      throw new ConflictError(
        isTheirs
          ? `${title} creates the secret of its webhook; enter that one`
          : `Webhooks of ${title} use a secret that is created here`,
      );
    }
    return connection;
  };

  router
    .route('/connections')
    .get(mayRead, async (_req, res) => {
      res.json({ connections: (await store.list()).map(present) });
    })
    .post(
      mayDo('Connect a repository or tracker'),
      ...jsonBody(),
      async (req, res) => {
        const body = parseInput(connectionSchema, req.body);
        const repository = connectedName(body.forge, body.repository);
        if (repository === undefined || repository.length > 255) {
          throw new InputError(
            `repository: must be ${expectedName(body.forge)}`,
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
          secret: createsSecret(body.forge) ? undefined : secret,
        });
        res.status(201).json(presentNew(connection, secret));
      },
    )
    .all(methodNotAllowed('GET', 'POST'));

  router
    .route('/connections/:id')
    .get(mayRead, async (req, res) => {
      res.json(present(await store.get(req.params.id)));
    })
    .delete(mayDo('Remove a connection'), async (req, res) => {
      const { id, repository } = await store.get(req.params.id);
      nameTarget(req, repository);
      await store.remove(id);
      res.status(204).end();
    })
    .all(methodNotAllowed('GET', 'DELETE'));

  router
    .route('/connections/:id/secret')
    .post(mayDo('Replace the secret of a connection'), async (req, res) => {
      const { id, repository } = await find(req.params.id, 'ours');
      nameTarget(req, repository);
      const secret = newSecret();
      res.json(presentNew(await store.replaceSecret(id, secret), secret));
    })
    .put(
      mayDo('Enter the secret of a connection'),
      ...jsonBody(),
      async (req, res) => {
        const { id, repository } = await find(req.params.id, 'theirs');
        nameTarget(req, repository);
        const { secret } = parseInput(secretSchema, req.body);
        res.json(present(await store.enterSecret(id, secret)));
      },
    )
    .all(methodNotAllowed('POST', 'PUT'));

  return router;
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
