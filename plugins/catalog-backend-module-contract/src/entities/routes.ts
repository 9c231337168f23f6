import { methodNotAllowed, parseInput } from '@slipway/portal-kit';
import { Router } from 'express';
import { entitiesQuerySchema } from './schemas';

/** What stands in front of the catalog's `/entities`: unknown parameters are ignored, other methods refused. */
export function createEntityRoutes(): Router {
  const router = Router();
  router
    .route('/entities')
    .get((req, _res, next) => {
      req.query = parseInput(entitiesQuerySchema, req.query);
      next('router');
    })
    .all(methodNotAllowed('GET'));
  return router;
}
