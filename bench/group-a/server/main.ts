import { createBackend } from '@backstage/backend-defaults';
import {
  coreServices,
  createBackendPlugin,
} from '@backstage/backend-plugin-api';
import { contractHttpRouterFactory } from '@slipway/portal-kit';
import { Router } from 'express';

// A route of the contract that does nothing, behind Backstage's own middleware or, with
// SLIPWAY_PLUMBING, behind ours.

const plugin = createBackendPlugin({
  // Rate limits identify the routes of the contract by plugin.
  pluginId: 'ide-launcher',
  register(env) {
    env.registerInit({
      deps: { httpRouter: coreServices.httpRouter },
      async init({ httpRouter }) {
        const router = Router();
        router.get('/workspaces', (_req, res) => {
          res.json({ workspaces: [], total: 0 });
        });
        httpRouter.use(router);
      },
    });
  },
});

async function main(): Promise<void> {
  const backend = createBackend();
  backend.add(plugin);
  if (process.env.SLIPWAY_PLUMBING) {
    backend.add(contractHttpRouterFactory);
  }
  await backend.start();
}

void main();
