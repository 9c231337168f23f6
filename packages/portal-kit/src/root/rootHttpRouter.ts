import { rootHttpRouterServiceFactory } from '@backstage/backend-defaults/rootHttpRouter';
import { RequestHandler } from 'express';
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
 * nothing, and the second in development with a stack.
 */
export const contractRootHttpRouterFactory = rootHttpRouterServiceFactory({
  configure({ app, applyDefaults, logger, middleware }) {
    // The defaults take these from here, and end every request by them.
    middleware.notFound = contractNotFound;
    middleware.error = () => contractErrorHandler({ logger });
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
