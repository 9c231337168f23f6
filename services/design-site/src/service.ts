import {
  defineService,
  groupBErrors,
  readManifest,
} from '@slipway/service-kit';
import { designSiteConfig } from './config.ts';
import { BuiltSite } from './site/BuiltSite.ts';
import { siteLayout } from './site/layout.ts';
import { siteRoutes } from './site/routes.ts';

const { port, ...about } = readManifest(
  new URL('../package.json', import.meta.url),
);

/** Serves the built site, and builds it where a component has changed. */
export const designSite = defineService({
  ...about,
  configSchema: designSiteConfig,
  defaults: { port, perMinute: 600 },
  errors: groupBErrors,
  async setUp(kit) {
    const site = await BuiltSite.open(siteLayout);
    const build =
      kit.config.build ?? (kit.isProduction ? 'never' : 'whenStale');
    if (build === 'whenStale') {
      const stopped = new AbortController();
      kit.onStart(async () => {
        try {
          await site.buildWhenStale(stopped.signal);
        } catch (error) {
          kit.logger.error(error, 'The site could not be built');
        }
      });
      kit.onStop(() => stopped.abort());
    }
    kit.health.addCheck('site', async () => site.isBuilt);
    await siteRoutes(kit.app, { site, auth: kit.auth });
  },
});
