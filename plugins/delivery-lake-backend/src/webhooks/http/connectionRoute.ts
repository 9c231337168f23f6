import { AuthenticationError } from '@backstage/errors';
import type { Forge } from '@slipway/platform-guards';
import { methodNotAllowed } from '@slipway/portal-kit';
import { RequestHandler, Router } from 'express';
import PromiseRouter from 'express-promise-router';
import { CONNECTION_WEBHOOK_PATH } from '../../connections/routes';
import type {
  Connection,
  DatabaseConnectionStore,
} from '../../storage/DatabaseConnectionStore';
import { createForgeGuard } from './forgeGuard';

/** Receives a delivery that has a valid signature. */
type Receive = (
  req: Parameters<RequestHandler>[0],
  connection: Connection,
) => Promise<{
  event: string;
  accepted: number;
  ignored: string | null;
  response: object;
}>;

/** Finds connections and records what became of their deliveries. */
export type ConnectionDeliveries = Pick<
  DatabaseConnectionStore,
  'findWithSecret' | 'received' | 'receivedFrom' | 'refused'
>;

/**
 * `POST /webhooks/connections/{id}`: deliveries of a connected repository, signed with its own
 * secret. The outcome of the last one is recorded, for the person who sets up the webhook.
 *
 * @param options.guard - checks the caller's own credentials.
 */
export function createConnectionRoute(options: {
  connections: ConnectionDeliveries;
  guard: RequestHandler;
  receive: Receive;
  now: () => number;
}): Router {
  const { connections, guard, receive, now } = options;
  const router = PromiseRouter();

  router
    .route(`${CONNECTION_WEBHOOK_PATH}/:id`)
    .post(async (req, res) => {
      const found = await connections.findWithSecret(req.params.id);
      if (!found) {
        // The same as for a wrong signature, so that nobody can find connections.
        throw new AuthenticationError('The signature does not match');
      }
      const { secret, ...connection } = found;
      const check = createForgeGuard({
        forge: connection.forge,
        secrets: [secret],
        guard,
      });
      try {
        await new Promise<void>((resolve, reject) =>
          check(req, res, error => (error ? reject(error) : resolve())),
        );
      } catch (error) {
        if (error instanceof AuthenticationError) {
          await connections.refused(connection.id, now());
        }
        throw error;
      }
      const { response, ...outcome } = await receive(req, connection);
      await connections.received(connection.id, { at: now(), ...outcome });
      res.json(response);
    })
    .all(methodNotAllowed('POST'));
  return router;
}

/** Returns the repository that a delivery names, as `owner/name`. */
export function repositoryOf(forge: Forge, body: string): string | undefined {
  const payload = JSON.parse(body) as {
    repository?: { full_name?: unknown };
    project?: { path_with_namespace?: unknown };
  } | null;
  const name =
    forge === 'gitlab'
      ? payload?.project?.path_with_namespace
      : payload?.repository?.full_name;
  return typeof name === 'string' ? name : undefined;
}
