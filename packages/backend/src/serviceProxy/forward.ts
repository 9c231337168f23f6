import {
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { createProxyServer } from 'http-proxy-3';
import type { ProxyEndpoint } from './endpoints';

/** Request headers that are forwarded to services: no cookies and no credentials. */
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

/**
 * Response headers that are forwarded to pages. Not `set-cookie`: it would set a cookie of the
 * portal.
 */
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

/** Forwards a request and its response, both as streams. */
export type Forward = (
  req: IncomingMessage,
  res: ServerResponse,
  options: {
    endpoint: ProxyEndpoint;
    token: string;
    /** Called if the service sends no response. */
    onFailure: (error: Error) => void;
  },
) => void;

/** Creates the function that forwards requests to services; connections are pooled. */
export function createForward(): Forward {
  const agents = {
    'http:': new HttpAgent({ keepAlive: true }),
    'https:': new HttpsAgent({ keepAlive: true }),
  };
  const proxy = createProxyServer({ changeOrigin: true });
  proxy.on('proxyRes', (answer, _req, res) => {
    keep(answer.headers, RESPONSE_HEADERS);
    // If a service fails in the middle of its response, the page must not wait indefinitely.
    answer.once('close', () => {
      if (!answer.complete) {
        res.destroy();
      }
    });
  });
  // Each call passes its own error handler; without this one, a late error would end the process.
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
