import { methodNotAllowed } from '@slipway/portal-kit';
import { Router } from 'express';

/** What the catalog's own route takes; it refuses any other parameter. */
const PARAMETERS: ReadonlySet<string> = new Set([
  'fields',
  'filter',
  'order',
  'limit',
  'offset',
  'after',
]);

/** What stands in front of the catalog's `/entities`: unknown parameters are ignored, other methods refused. */
export function createEntityRoutes(): Router {
  const router = Router();
  router
    .route('/entities')
    .get((req, _res, next) => {
      req.query = Object.fromEntries(
        Object.entries(req.query).filter(([name]) => PARAMETERS.has(name)),
      );
      next('router');
    })
    .all(methodNotAllowed('GET'));
  return router;
}
