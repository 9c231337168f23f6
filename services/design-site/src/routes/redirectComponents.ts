import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseComponentPath, storybookAddress } from './addresses.ts';
import { componentRoutes, type IndexEntry } from './componentRoutes.ts';
import { notFoundPage } from './notFoundPage.ts';

const TIMEOUT_MS = 30_000;

/**
 * In development, what the files of the build do elsewhere: leads `/story/<component>`
 * and `/docs/<component>` to Storybook's own addresses, 404 for what is not there.
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
    const components = componentRoutes(await readIndex(request));
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

/** Storybook keeps its index to itself, so this asks the server that it is part of. */
async function readIndex(request: IncomingMessage): Promise<IndexEntry[]> {
  const { localAddress, localPort } = request.socket;
  const host = localAddress?.includes(':') ? `[${localAddress}]` : localAddress;
  const answer = await fetch(`http://${host}:${localPort}/index.json`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const index = (await answer.json()) as {
    entries: Record<string, IndexEntry>;
  };
  return Object.values(index.entries);
}
