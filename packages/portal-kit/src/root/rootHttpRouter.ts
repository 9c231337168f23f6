import { type Server, STATUS_CODES } from 'node:http';
import { rootHttpRouterServiceFactory } from '@backstage/backend-defaults/rootHttpRouter';
import { redactUrl } from '@slipway/platform-guards';
import { Request, RequestHandler } from 'express';
import {
  contractErrorHandler,
  contractNotFound,
} from '../httpRouter/contractErrors';

/** Status and message by the code of Node's error. */
const WORDING: Readonly<Record<string, [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time'],
  HPE_HEADER_OVERFLOW: [431, 'The head of the request is too large'],
};

/**
 * Serves the app for a page whose path has a percent sign that encodes nothing, such as
 * `/docs/100%`: the app knows what is there, and Express would refuse it unread.
 */
const servePagesAtAnyPath: RequestHandler = (req, _res, next) => {
  const isPage =
    /^(?:GET|HEAD)$/.test(req.method) &&
    req.headers.accept?.includes('text/html') &&
    !/^\/(?:api|static)\//.test(req.path);
  if (isPage && !isDecodable(req.path)) {
    const query = req.url.indexOf('?');
    req.url = query < 0 ? '/' : `/${req.url.slice(query)}`;
  }
  next();
};

/**
 * Answers what is no HTTP, and takes what Node would refuse by itself, in both cases with
 * an error without a body.
 */
function answerBrokenRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const [status, message] = WORDING[error.code ?? ''] ?? [
      400,
      'The request is not valid HTTP',
    ];
    const body = JSON.stringify({ error: message });
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
  });
  // What clients may expect beside `100-continue` can be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => {
    server.emit('request', request, response);
  });
}

/**
 * Backstage's `rootHttpRouter` service, which answers a path of no plugin, and an error
 * of none, in the format of the contract (group A): Backstage answers the first with
 * nothing, and the second in development with a stack. So does it answer what is no HTTP.
 * Lines of its log hold no secret of an address, such as the code that a provider of
 * identities sends.
 */
export const contractRootHttpRouterFactory = rootHttpRouterServiceFactory({
  configure({ app, applyDefaults, logger, middleware, server }) {
    answerBrokenRequests(server);
    // The defaults take these from here, and end every request by them.
    middleware.notFound = contractNotFound;
    middleware.error = () => contractErrorHandler({ logger });
    const log = middleware.logging();
    middleware.logging = () => (req, res, next) =>
      log(withoutSecrets(req), res, next);
    app.use(servePagesAtAnyPath);
    applyDefaults();
  },
});

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** A request as the log sees it. */
function withoutSecrets(req: Request): Request {
  const { headers, originalUrl } = req;
  // Browsers send the former, and the log looks for both.
  const { referer = headers.referrer } = headers;
  return Object.create(req, {
    originalUrl: { value: redactUrl(originalUrl) },
    headers: {
      value: { ...headers, referer: referer && redactUrl(String(referer)) },
    },
  });
}
