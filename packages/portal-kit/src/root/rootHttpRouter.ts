import { rootHttpRouterServiceFactory } from '@backstage/backend-defaults/rootHttpRouter';
import { resolvePackagePath } from '@backstage/backend-plugin-api';
import { InputError } from '@backstage/errors';
import {
  brokenRequestAnswer,
  ignoreExpectations,
  redactUrl,
} from '@slipway/platform-guards';
import { NextFunction, Request, RequestHandler } from 'express';
import {
  contractErrorHandler,
  contractNotFound,
} from '../httpRouter/contractErrors';
import { compressedAssets } from './compressedAssets';

/**
 * Serves the app for a page whose path has an invalid percent encoding, such as `/docs/100%`: the
 * app can handle it, but Express would reject it.
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
 * Backstage's `rootHttpRouter` service, with errors outside plugins, 404s of unknown paths and responses
 * to malformed HTTP in the format of the contract (group A). Backstage itself sends a stack trace for
 * errors in development, and no body for unknown paths. Log lines omit secrets in URLs, such as an
 * identity provider's code.
 */
export const contractRootHttpRouterFactory = rootHttpRouterServiceFactory({
  configure({ app, applyDefaults, config, logger, middleware, server }) {
    server.on(
      'clientError',
      brokenRequestAnswer(error => ({ error })),
    );
    ignoreExpectations(server);
    // The default configuration ends every request with these two handlers.
    middleware.notFound = contractNotFound;
    middleware.error = () => contractErrorHandler({ logger });
    const log = middleware.logging();
    // The last of the default handlers before the routes.
    middleware.logging = () => (req, res, next) =>
      log(withoutSecrets(req), res, () => rejectBadPath(req, next));
    app.use(servePagesAtAnyPath);
    const packageName = config.getOptionalString('app.packageName');
    if (packageName) {
      app.use(compressedAssets(resolvePackagePath(packageName, 'dist/static')));
    }
    applyDefaults();
  },
});

/**
 * Rejects a path outside the plugins' APIs with an invalid percent encoding, in the contract's format.
 * The app would use its own format.
 */
function rejectBadPath({ path }: Request, next: NextFunction): void {
  if (path.startsWith('/api/') || isDecodable(path)) {
    next();
  } else {
    next(new InputError('The path has an invalid percent encoding'));
  }
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Returns a view of a request with the secrets in its URL and referrer redacted, for the log. */
function withoutSecrets(req: Request): Request {
  const { headers, originalUrl } = req;
  // Browsers send `Referer`; the log reads both spellings.
  const { referer = headers.referrer } = headers;
  return Object.create(req, {
    originalUrl: { value: redactUrl(originalUrl) },
    headers: {
      value: { ...headers, referer: referer && redactUrl(String(referer)) },
    },
  });
}
