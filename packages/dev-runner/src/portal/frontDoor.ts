import { createServer, type IncomingMessage, type Server } from 'node:http';
import httpProxy from 'http-proxy-3';
import { answerUnavailable } from './answerUnavailable.ts';

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
