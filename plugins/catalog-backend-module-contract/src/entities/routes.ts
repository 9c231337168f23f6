import { methodNotAllowed, parseInput } from '@slipway/portal-kit';
import { Router } from 'express';
import { z } from 'zod';

/** Maximum length of one of `fields`: the catalog parses each for every entity, in quadratic time. */
const MAX_FIELD_CHARACTERS = 256;

/** The maximum number of conditions of all filters together: databases nest them, with a limited depth. */
const MAX_CONDITIONS = 300;

/** Schema of a parameter that may occur several times: `a=1&a=2`. */
const text = z
  .union([z.string(), z.array(z.string())], {
    error: 'must be text, and is named without brackets',
  })
  .optional();

function partsOf(value: string | string[] | undefined): string[] {
  return [value ?? []].flat().flatMap(each => each.split(','));
}

/** Query of `GET /entities`: the parameters of the catalog's own route, which rejects any others. */
const entitiesQuerySchema = z.object({
  fields: text.refine(
    value =>
      partsOf(value).every(({ length }) => length <= MAX_FIELD_CHARACTERS),
    `must name fields of at most ${MAX_FIELD_CHARACTERS} characters`,
  ),
  filter: text.refine(
    value => partsOf(value).length <= MAX_CONDITIONS,
    `must have at most ${MAX_CONDITIONS} conditions`,
  ),
  order: text,
  limit: text,
  offset: text,
  after: text,
});

/**
 * Creates routes in front of the catalog's `/entities`, which drop unknown parameters and reject
 * other methods.
 */
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
