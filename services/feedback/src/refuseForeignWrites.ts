import { ForbiddenError, type ServiceApp } from '@slipway/service-kit';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses writes that a page of another origin makes, with or without a session: an
 * anonymous submission needs none, and no other site has to make them.
 *
 * @param origins - of the portal: where its pages and its API are.
 */
export function refuseForeignWrites(
  app: ServiceApp,
  origins: readonly string[],
): void {
  app.addHook('onRequest', async request => {
    const { origin } = request.headers;
    if (
      !READS.has(request.method) &&
      origin !== undefined &&
      !origins.includes(origin)
    ) {
      throw new ForbiddenError('Writes from another origin are refused');
    }
  });
}
