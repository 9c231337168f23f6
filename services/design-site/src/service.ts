import {
  defineService,
  groupBErrors,
  readManifest,
} from '@slipway/service-kit';
import { Type } from 'typebox';
import { BuiltSite } from './site/BuiltSite.ts';
import { siteLayout } from './site/buildStorybook.ts';
import { siteRoutes } from './site/routes.ts';

/** Schema of the section `designSite`, without the keys that all services have. */
export const designSiteConfig = Type.Object({
  /**
   * Policy for building the site at startup: `whenStale` builds it if a component has
   * changed. Default: `whenStale`, and `never` in production.
   */
  build: Type.Optional(
    Type.Unsafe<'whenStale' | 'never'>(
      Type.String({ enum: ['whenStale', 'never'] }),
    ),
  ),
});

const { port, ...about } = readManifest(
  new URL('../package.json', import.meta.url),
);

/** Serves the built site, and rebuilds it when a component has changed. */
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
    kit.health.addCheck('site', async () => {
      await site.refresh();
      return site.isBuilt;
    });
    await siteRoutes(kit.app, { site, auth: kit.auth });
  },
});
