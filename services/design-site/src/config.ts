import { Type } from 'typebox';

/** What the section `designSite` holds beside the keys that all services have. */
export const designSiteConfig = Type.Object({
  /**
   * Whether the site is built at the start when a component has changed since the
   * last time; `never` in production when left out.
   */
  build: Type.Optional(
    Type.Unsafe<'whenStale' | 'never'>(
      Type.String({ enum: ['whenStale', 'never'] }),
    ),
  ),
});
