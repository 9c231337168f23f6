import {
  coreServices,
  createBackendPlugin,
  resolvePackagePath,
} from '@backstage/backend-plugin-api';
import { NotFoundError } from '@backstage/errors';
import { readinessRef } from '@slipway/portal-kit';
import { openDatabase } from '@slipway/portal-kit/database';
import type { Response } from 'express';
import Router from 'express-promise-router';
import { isOpen, readEndpoints } from './endpoints';
import { createForward } from './forward';
import { ServiceTokens } from './ServiceTokens';
import { SigningKeys } from './SigningKeys';
import { tokenIssuerRef } from './TokenIssuer';

/** The path with the keys for verifying service tokens. */
const KEYS_PATH = '/.well-known/jwks.json';

/**
 * Connects the portal's pages to the companion services, at `/api/proxy/<service>/…`. It replaces
 * Backstage's proxy, which forwards the user's own token: here, each service gets a token that only
 * this service accepts (docs/adr/0017).
 */
export const serviceProxyPlugin = createBackendPlugin({
  pluginId: 'proxy',
  register(env) {
    env.registerInit({
      deps: {
        config: coreServices.rootConfig,
        database: coreServices.database,
        httpAuth: coreServices.httpAuth,
        httpRouter: coreServices.httpRouter,
        logger: coreServices.logger,
        issuer: tokenIssuerRef,
        readiness: readinessRef,
        userInfo: coreServices.userInfo,
      },
      async init(deps) {
        const { config, database, httpAuth, httpRouter, logger, userInfo } =
          deps;
        const knex = await openDatabase({
          database,
          migrations: resolvePackagePath('@slipway/backend', 'migrations'),
        });
        deps.readiness.watch('proxy', knex);
        const keys = new SigningKeys({ knex });
        // Publishes a key of this replica before services fetch the keys.
        await keys.current();
        const tokens = new ServiceTokens({ keys, userInfo });
        deps.issuer.open(tokens);
        const forward = createForward();
        const router = Router();
        router.get(KEYS_PATH, async (_req, res) => {
          res.json(await keys.published());
        });
        for (const endpoint of readEndpoints(config)) {
          const { service } = endpoint;
          router.use(`/${service}`, async (req, res) => {
            const credentials = await httpAuth.credentials(req, {
              allow: ['user'],
            });
            if (!isOpen(endpoint, req.url.split('?', 1)[0])) {
              throw new NotFoundError('The portal does not proxy this path');
            }
            const token = await tokens.issue({
              credentials,
              service,
              session: req.headers.authorization ?? '',
            });
            forward(req, res, {
              endpoint,
              token,
              onFailure(error) {
                logger.warn(`${service} is not responding: ${error.message}`);
                respondUnavailable(res, service);
              },
            });
          });
        }
        httpRouter.use(router);
        httpRouter.addAuthPolicy({ path: KEYS_PATH, allow: 'unauthenticated' });
      },
    });
  },
});

/** Responds that a service is unavailable, in the error format of Backstage's pages. */
function respondUnavailable(res: Response, service: string): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const message = `The service ${service} is not responding`;
  res.status(504).json({
    error: { name: 'ServiceUnavailableError', message },
    response: { statusCode: 504 },
  });
}
