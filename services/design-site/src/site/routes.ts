import fastifyStatic from '@fastify/static';
import type { Auth, ServiceApp } from '@slipway/service-kit';
import { SITE_NAME } from '../name/nameWindow.ts';
import { parsePagePath } from '../routes/pageRoutes.ts';
import type { BuiltSite } from './BuiltSite.ts';

/** Storybook's pages contain inline scripts and styles, and show stories in iframes. */
const SECURITY_HEADERS = {
  'content-security-policy': [
    "default-src 'self'",
    "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "frame-ancestors 'self'",
  ].join(';'),
  'x-frame-options': 'SAMEORIGIN',
};

/** Vite adds a content hash to the names of files in this folder. */
const HASHED = /^assets\//;

const BUILDING = `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="3">
<title>${SITE_NAME}</title><body style="font: 14px/1.5 system-ui; margin: 48px auto; max-width: 40rem">
<h1>The site is being built</h1><p>This takes about half a minute after a component has changed. The page reloads automatically.</p>
`;

/** Serves the files of the site by path. */
export async function siteRoutes(
  app: ServiceApp,
  options: { site: BuiltSite; auth: Auth },
): Promise<void> {
  const { site, auth } = options;
  await app.register(fastifyStatic, {
    root: site.directory,
    serve: false,
    cacheControl: false,
  });
  app.get(
    '/*',
    {
      schema: { hide: true },
      config: { access: auth.anyone, limit: false },
    },
    async (request, reply) => {
      reply.headers(SECURITY_HEADERS);
      await site.refresh();
      if (!site.isBuilt) {
        return reply
          .code(503)
          .headers({ 'retry-after': '5', 'cache-control': 'no-store' })
          .type('text/html; charset=utf-8')
          .send(BUILDING);
      }
      // Not parsed as a URL, where the start of a path with two leading slashes would be a host.
      const pathname = decodePath(request.url.split('?', 1)[0]);
      const page = parsePagePath(pathname);
      const file =
        site.find(pathname) ?? (page && site.find(`${page.kind}/${page.slug}`));
      reply.header(
        'cache-control',
        file && HASHED.test(file)
          ? 'public, max-age=31536000, immutable'
          : 'no-cache',
      );
      return file ? reply.sendFile(file) : reply.code(404).sendFile('404.html');
    },
  );
}

function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
