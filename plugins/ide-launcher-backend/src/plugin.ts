import {
  coreServices,
  createBackendPlugin,
} from '@backstage/backend-plugin-api';

/** Placeholder until the runtime lands: registers the plugin. */
export const ideLauncherPlugin = createBackendPlugin({
  pluginId: 'ide-launcher',
  register(env) {
    env.registerInit({
      deps: { httpRouter: coreServices.httpRouter },
      async init() {},
    });
  },
});
