import {
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { createProxyServer } from 'http-proxy-3';
import type { ProxyEndpoint } from './endpoints';

/** What services are told of a request, beside who makes it: no cookie, no credential. */
const REQUEST_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'cache-control',
  'content-language',
  'content-length',
  'content-type',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'last-event-id',
  'pragma',
  'transfer-encoding',
  'user-agent',
  'x-request-id',
]);

/** What pages are told of an answer; a cookie of a service would be one of the portal. */
const RESPONSE_HEADERS: ReadonlySet<string> = new Set([
  'cache-control',
  'content-disposition',
  'content-language',
  'content-length',
  'content-type',
  'etag',
  'expires',
  'last-modified',
  'pragma',
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-request-id',
]);

/** Passes a request on, and its answer back, each as it streams. */
export type Forward = (
  req: IncomingMessage,
  res: ServerResponse,
  options: {
    endpoint: ProxyEndpoint;
    token: string;
    /** Called when the service has answered nothing. */
    onFailure: (error: Error) => void;
  },
) => void;

/** Makes the way to the services; connections are kept and used again. */
export function createForward(): Forward {
  const agents = {
    'http:': new HttpAgent({ keepAlive: true }),
    'https:': new HttpsAgent({ keepAlive: true }),
  };
  const proxy = createProxyServer({ changeOrigin: true });
  proxy.on('proxyRes', (answer, _req, res) => {
    keep(answer.headers, RESPONSE_HEADERS);
    // A service that dies amid its answer must not leave the page waiting.
    answer.once('close', () => {
      if (!answer.complete) {
        res.destroy();
      }
    });
  });
  // Each call passes its own handler; without one here a late error would end the process.
  proxy.on('error', () => {});

  return (req, res, { endpoint, token, onFailure }) => {
    const { target, timeoutMs } = endpoint;
    keep(req.headers, REQUEST_HEADERS);
    req.headers.authorization = `Bearer ${token}`;
    proxy.web(
      req,
      res,
      {
        target,
        agent: agents[target.protocol === 'https:' ? 'https:' : 'http:'],
        proxyTimeout: timeoutMs,
      },
      error => onFailure(error),
    );
  };
}

function keep(headers: IncomingHttpHeaders, names: ReadonlySet<string>): void {
  for (const name of Object.keys(headers)) {
    if (!names.has(name)) {
      delete headers[name];
    }
  }
}
