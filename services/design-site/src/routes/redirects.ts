import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { SITE_NAME } from '../name/nameWindow.ts';
import {
  PAGE_KINDS,
  pageRoutes,
  type PageRoutes,
  parsePagePath,
  type StorybookIndex,
  storybookAddress,
} from './pageRoutes.ts';

/**
 * Writes a built site's routes as files, so that any web server can serve it:
 * `story/<component>/index.html`, `docs/<page>/index.html` and `404.html`.
 *
 * @param directory - directory of the built site.
 * @throws DuplicateSlugError if two pages have the same slug.
 */
export async function writeRoutes(directory: string): Promise<void> {
  const index = JSON.parse(
    await readFile(path.join(directory, 'index.json'), 'utf8'),
  ) as StorybookIndex;
  const pages = pageRoutes(Object.values(index.entries));
  for (const page of pages) {
    for (const kind of PAGE_KINDS) {
      const target = storybookAddress(kind, page);
      if (target !== undefined) {
        const folder = path.join(directory, kind, page.slug);
        await mkdir(folder, { recursive: true });
        await writeFile(
          path.join(folder, 'index.html'),
          redirectPage(page.title, `../../${target}`),
        );
      }
    }
  }
  await writeFile(path.join(directory, '404.html'), notFoundPage(pages));
}

const TIMEOUT_MS = 30_000;

/**
 * Development middleware that redirects `/story/<component>` and `/docs/<page>` to Storybook's own
 * addresses, and responds with 404 if there is no such page. In a build, the files written by
 * {@link writeRoutes} do this.
 */
export async function redirectComponents(
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
): Promise<void> {
  const asked = parsePagePath((request.url ?? '').split('?', 1)[0] ?? '');
  if (!asked) {
    next();
    return;
  }
  try {
    const { entries } = await readIndex(request);
    const pages = pageRoutes(Object.values(entries));
    const page = pages.find(({ slug }) => slug === asked.slug);
    const target = page && storybookAddress(asked.kind, page);
    if (target !== undefined) {
      response.writeHead(302, { location: `/${target}` }).end();
    } else {
      response
        .writeHead(404, { 'content-type': 'text/html; charset=utf-8' })
        .end(notFoundPage(pages));
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

/** Returns the 404 page, with links to the existing pages. */
function notFoundPage(pages: readonly PageRoutes[]): string {
  const listOf = (found: readonly PageRoutes[]) =>
    `<ul>${found
      .map(({ slug, title }) => `<li><a href="/docs/${slug}">${title}</a></li>`)
      .join('')}</ul>`;
  return htmlPage(
    'Page not found',
    `<h1>Page not found</h1>
<p>There is no page at this address. The component may have been renamed.</p>
<p><a href="/">${SITE_NAME}</a></p>
${listOf(pages.filter(({ story }) => story === undefined))}
<h2>Components</h2>
${listOf(pages.filter(({ story }) => story !== undefined))}`,
  );
}

/** Returns a page that redirects without scripts. */
function redirectPage(title: string, target: string): string {
  const href = target.replaceAll('&', '&amp;');
  return htmlPage(
    title,
    `<p><a href="${href}">${title}</a></p>`,
    `<meta http-equiv="refresh" content="0; url=${href}">`,
  );
}

function htmlPage(title: string, body: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">${head}<title>${title} · ${SITE_NAME}</title></head>
<body style="font: 14px/1.5 system-ui; margin: 48px auto; max-width: 40rem; padding: 0 16px">${body}</body>
</html>
`;
}
