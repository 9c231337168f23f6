import { readFile } from 'node:fs/promises';
import { HttpRouterService } from '@backstage/backend-plugin-api';
import { Router } from 'express';
import { parse } from 'yaml';
import { methodNotAllowed } from './methodNotAllowed';

/**
 * Serves a plugin's OpenAPI 3.1 description at `/openapi.json`, open to all:
 * it tells nothing that the repository does not.
 *
 * @param options.file - absolute path of the description in YAML.
 */
export async function serveOpenApi(options: {
  httpRouter: HttpRouterService;
  file: string;
}): Promise<void> {
  const { httpRouter, file } = options;
  const description: object = parse(await readFile(file, 'utf8'));
  const router = Router();
  router
    .route('/openapi.json')
    .get((_req, res) => {
      res.json(description);
    })
    .all(methodNotAllowed('GET'));
  httpRouter.use(router);
  httpRouter.addAuthPolicy({ path: '/openapi.json', allow: 'unauthenticated' });
}
