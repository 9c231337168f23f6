import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import httpProxy from 'http-proxy-3';

/** Loads itself again until the portal is there, at the same address. */
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
<p>This page opens by itself once it is ready. If that takes longer than a minute, the output of <code>./slipway dev</code> says why.</p>
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

/** Answers 503: with a page where one is looked at, with an error body to programs. */
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
 * The portal's own address, which forwards everything, WebSockets too, to the back end.
 * While that one starts or is gone, pages say so and load themselves again.
 *
 * @param backend - where the back end listens, without a trailing slash.
 */
export function createFrontDoor(backend: string): Server {
  const proxy = httpProxy.createProxyServer({ target: backend });
  const toPages = httpProxy.createProxyServer({
    target: backend,
    selfHandleResponse: true,
  });
  toPages.on('proxyRes', (answer, req, res) => {
    // A back end that starts answers 503, one without the built pages 404.
    if (answer.statusCode === 503 || answer.statusCode === 404) {
      answer.resume();
      answerUnavailable(req, res);
      return;
    }
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(res);
  });
  for (const each of [proxy, toPages]) {
    // Of an answer that breaks off, the rest must not be waited for.
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

/** Tells whether a browser asks for a page of the portal. */
function isPage({ method, headers, url = '/' }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    Boolean(headers.accept?.includes('text/html')) &&
    !/^\/(api|static)\//.test(url)
  );
}
