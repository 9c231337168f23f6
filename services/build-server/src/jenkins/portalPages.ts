import type { IncomingMessage } from 'node:http';
import type { Access, ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import { pageOf } from '../builds/Build.ts';

/** The constraint that selects routes for browsers only. */
const BROWSER = 'browser';

const PageParams = Type.Object({
  job: Type.Optional(Type.String({ maxLength: 400 })),
  build: Type.Optional(Type.String({ maxLength: 40 })),
});

/**
 * Redirects browsers from the Jenkins address of a job or build to its page in the
 * portal. Only that page reveals whether the job exists, to authorized users. Must be
 * called before other routes are added.
 *
 * @param options.appUrl - address of the portal's pages.
 */
export function portalPages(
  app: ServiceApp,
  options: { anyone: Access; appUrl: string },
): void {
  const { anyone, appUrl } = options;
  app.addConstraintStrategy({
    name: BROWSER,
    mustMatchWhenDerived: false,
    storage: () => {
      let kept: unknown;
      return {
        get: key => (key === 'yes' ? (kept as never) : null),
        set: (_key, handler) => {
          kept = handler;
        },
      };
    },
    deriveConstraint: wantsPage,
    validate: () => {},
  });
  const constraints = { [BROWSER]: 'yes' };
  const page = (job?: string, build = '') => {
    const number = /^\d+$/.test(build) ? build : undefined;
    return job === undefined ? '/builds' : pageOf({ job, number });
  };
  for (const url of [
    '/',
    '/job/:job',
    '/job/:job/:build(^\\d+$|^last[A-Z][A-Za-z]+$)',
    '/job/:job/:build(^\\d+$)/console',
  ]) {
    app.get(
      url,
      {
        constraints,
        config: { access: anyone },
        schema: {
          hide: true,
          params: PageParams,
          response: { 302: { description: 'The page is in the portal.' } },
        },
      },
      async ({ params }, reply) =>
        reply.redirect(appUrl + page(params.job, params.build)),
    );
  }
}

function wantsPage({ headers }: IncomingMessage): string | undefined {
  return headers.accept?.includes('text/html') ? 'yes' : undefined;
}
