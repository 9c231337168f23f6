import { rootHttpRouterServiceFactory } from '@backstage/backend-defaults/rootHttpRouter';
import {
  brokenRequestAnswer,
  ignoreExpectations,
  redactUrl,
} from '@slipway/platform-guards';
import { Request, RequestHandler } from 'express';
import {
  contractErrorHandler,
  contractNotFound,
} from '../httpRouter/contractErrors';

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
 * Backstage's `rootHttpRouter` service, which answers a path of no plugin, and an error
 * of none, in the format of the contract (group A): Backstage answers the first with
 * nothing, and the second in development with a stack. So does it answer what is no HTTP.
 * Lines of its log hold no secret of an address, such as the code that a provider of
 * identities sends.
 */
export const contractRootHttpRouterFactory = rootHttpRouterServiceFactory({
  configure({ app, applyDefaults, logger, middleware, server }) {
    server.on(
      'clientError',
      brokenRequestAnswer(error => ({ error })),
    );
    ignoreExpectations(server);
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
