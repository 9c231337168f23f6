import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { SITE_NAME } from '../name/nameWindow.ts';
import {
  componentRoutes,
  type ComponentRoutes,
  type StorybookIndex,
  parseComponentPath,
  storybookAddress,
} from './componentRoutes.ts';

/**
 * Writes a built site's routes as files, so that any web server can serve it:
 * `story/<component>/index.html`, `docs/<component>/index.html` and `404.html`.
 *
 * @param directory - directory of the built site.
 * @returns the number of components.
 * @throws DuplicateSlugError if two components have the same slug.
 */
export async function writeRoutes(directory: string): Promise<number> {
  const index = JSON.parse(
    await readFile(path.join(directory, 'index.json'), 'utf8'),
  ) as StorybookIndex;
  const components = componentRoutes(Object.values(index.entries));
  for (const component of components) {
    for (const kind of ['story', 'docs'] as const) {
      const folder = path.join(directory, kind, component.slug);
      await mkdir(folder, { recursive: true });
      await writeFile(
        path.join(folder, 'index.html'),
        redirectPage(
          component.title,
          `../../${storybookAddress(kind, component)}`,
        ),
      );
    }
  }
  await writeFile(path.join(directory, '404.html'), notFoundPage(components));
  return components.length;
}

const TIMEOUT_MS = 30_000;

/**
 * Development middleware that redirects `/story/<component>` and `/docs/<component>` to Storybook's
 * own addresses, and responds with 404 for unknown components. In a build, the files written by
 * {@link writeRoutes} do this.
 */
export async function redirectComponents(
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
): Promise<void> {
  const asked = parseComponentPath((request.url ?? '').split('?', 1)[0] ?? '');
  if (!asked) {
    next();
    return;
  }
  try {
    const { entries } = await readIndex(request);
    const components = componentRoutes(Object.values(entries));
    const component = components.find(({ slug }) => slug === asked.slug);
    if (component) {
      const location = `/${storybookAddress(asked.kind, component)}`;
      response.writeHead(302, { location }).end();
    } else {
      response
        .writeHead(404, { 'content-type': 'text/html; charset=utf-8' })
        .end(notFoundPage(components));
    }
  } catch (error) {
    next(error);
  }
}

/**
 * Fetches Storybook's index from the server that this middleware runs in, because Storybook does
 * not expose it to middleware.
 */
async function readIndex(request: IncomingMessage): Promise<StorybookIndex> {
  const { localAddress, localPort } = request.socket;
  const host = localAddress?.includes(':') ? `[${localAddress}]` : localAddress;
  const answer = await fetch(`http://${host}:${localPort}/index.json`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return (await answer.json()) as StorybookIndex;
}

/** Returns the 404 page, with links to the existing components. */
function notFoundPage(components: readonly ComponentRoutes[]): string {
  const links = components
    .map(({ slug, title }) => `<li><a href="/docs/${slug}">${title}</a></li>`)
    .join('');
  return page(
    'Component not found',
    `<h1>Component not found</h1><p>Available components:</p><ul>${links}</ul><p><a href="/">${SITE_NAME}</a></p>`,
  );
}

/** Returns a page that redirects without scripts. */
function redirectPage(title: string, target: string): string {
  const href = target.replaceAll('&', '&amp;');
  return page(
    title,
    `<p><a href="${href}">${title}</a></p>`,
    `<meta http-equiv="refresh" content="0; url=${href}">`,
  );
}

function page(title: string, body: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">${head}<title>${title} · ${SITE_NAME}</title></head>
<body style="font: 14px/1.5 system-ui; margin: 48px auto; max-width: 40rem; padding: 0 16px">${body}</body>
</html>
`;
}
