import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import httpProxy from 'http-proxy-3';

/** A page that reloads itself until the portal is available at the same address. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="2">
<title>Slipway</title>
<style>
  body { font: 16px/1.5 Inter, system-ui, sans-serif; max-width: 36rem; margin: 20vh auto 0; padding: 0 1.5rem; }
  h1 { font-size: 1.25rem; font-weight: 600; margin: 0 0 0.5rem; }
  p { margin: 0; }
</style>
</head>
<body>
<main role="status">
<h1>The portal is starting</h1>
<p>This page opens automatically once the portal is ready. If that takes longer than a minute, the output of <code>./slipway dev</code> says why.</p>
</main>
</body>
</html>
`;

/** The error in the format of the portal's own routes. */
const BODY = JSON.stringify({
  error: {
    name: 'ServiceUnavailableError',
    message: 'The portal is starting, try again in a few seconds',
  },
  response: { statusCode: 503 },
});

/** Responds with 503: with a page for browsers, with an error body for programs. */
function answerUnavailable(req: IncomingMessage, res: ServerResponse): void {
  const asPage = req.headers.accept?.includes('text/html');
  res
    .writeHead(503, {
      'content-type': asPage ? 'text/html; charset=utf-8' : 'application/json',
      'cache-control': 'no-store',
      'retry-after': '2',
    })
    .end(asPage ? PAGE : BODY);
}

/**
 * Creates the portal's public address, which forwards everything, including WebSockets, to the
 * backend. While the backend is starting or down, pages say so and reload themselves.
 *
 * @param backend - address of the backend, without a trailing slash.
 */
export function createFrontDoor(backend: string): Server {
  const proxy = httpProxy.createProxyServer({ target: backend });
  const toPages = httpProxy.createProxyServer({
    target: backend,
    selfHandleResponse: true,
  });
  toPages.on('proxyRes', (answer, req, res) => {
    // A starting backend responds with 503, one without built pages with 404.
    if (answer.statusCode === 503 || answer.statusCode === 404) {
      answer.resume();
      answerUnavailable(req, res);
      return;
    }
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(res);
  });
  for (const each of [proxy, toPages]) {
    // If a response is cut off, the client must not wait for the rest.
    each.on('proxyRes', (answer, _req, res) => {
      answer.once('close', () => answer.complete || res.destroy());
    });
    each.on('error', (_error, req, target) => {
      if ('writeHead' in target && !target.headersSent) {
        answerUnavailable(req, target);
      } else {
        target.destroy();
      }
    });
  }

  return createServer((req, res) => {
    (isPage(req) ? toPages : proxy).web(req, res);
  }).on('upgrade', (req, socket, head) => {
    socket.on('error', () => socket.destroy());
    proxy.ws(req, socket as Parameters<typeof proxy.ws>[1], head);
  });
}

/** Checks whether a browser requests a page of the portal. */
function isPage({ method, headers, url = '/' }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    Boolean(headers.accept?.includes('text/html')) &&
    !/^\/(api|static)\//.test(url)
  );
}
