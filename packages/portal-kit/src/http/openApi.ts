import { access, readFile } from 'node:fs/promises';
import { HttpRouterService } from '@backstage/backend-plugin-api';
import PromiseRouter from 'express-promise-router';
import { parse } from 'yaml';
import { methodNotAllowed } from './requests';

/**
 * Serves a plugin's OpenAPI 3.1 description at `/openapi.json`. Requires no credential, because the
 * description contains nothing that is not in the repository.
 *
 * @param options.file - absolute path of the description in YAML.
 * @throws Error if there is no such file.
 */
export async function serveOpenApi(options: {
  httpRouter: HttpRouterService;
  file: string;
}): Promise<void> {
  const { httpRouter, file } = options;
  await access(file);
  const router = PromiseRouter();
  router
    .route('/openapi.json')
    .get(async (_req, res) => {
      res.json(await readDescription(file));
    })
    .all(methodNotAllowed('GET'));
  httpRouter.use(router);
  httpRouter.addAuthPolicy({ path: '/openapi.json', allow: 'unauthenticated' });
}

/** The parts of an OpenAPI 3.1 description that are needed for merging. */
export interface Description {
  openapi: string;
  info: object;
  servers: Array<{ url: string }>;
  security?: object[];
  paths: Record<string, object>;
  components: Record<string, Record<string, object>>;
}

/** A cache of descriptions by file: each is served by its plugin and merged into the portal's. */
const descriptions = new Map<string, Description>();

/**
 * Reads a description on its first use. Few are ever used, and parsing all of them would take 5% of the
 * portal's startup time.
 */
async function readDescription(file: string): Promise<Description> {
  const description: Description =
    descriptions.get(file) ?? parse(await readFile(file, 'utf8'));
  descriptions.set(file, description);
  return description;
}

/** Component names with the same meaning in every description. */
const SHARED_COMPONENTS = 'securitySchemes';

/**
 * Merges the descriptions of several plugins into one for the portal: paths are prefixed with the
 * plugin's path, and component names with the plugin's id, so that they do not clash.
 *
 * @param options.files - YAML files, by plugin id.
 */
export async function joinDescriptions(options: {
  info: object;
  files: Readonly<Record<string, string>>;
}): Promise<Description> {
  const joined: Description = {
    openapi: '3.1.0',
    info: options.info,
    servers: [{ url: '/' }],
    paths: {},
    components: {},
  };
  for (const [plugin, file] of Object.entries(options.files)) {
    const description = prefixed(await readDescription(file), plugin);
    joined.security = description.security;
    for (const [path, item] of Object.entries(description.paths)) {
      joined.paths[`${description.servers[0].url}${path}`] = item;
    }
    for (const [kind, members] of Object.entries(description.components)) {
      joined.components[kind] = { ...joined.components[kind], ...members };
    }
  }
  return joined;
}

function prefixed(description: Description, plugin: string): Description {
  const named: Description = JSON.parse(
    JSON.stringify(description).replaceAll(
      /"#\/components\/(\w+)\//g,
      `"#/components/$1/${plugin}.`,
    ),
  );
  named.components = Object.fromEntries(
    Object.entries(named.components).map(([kind, members]) => [
      kind,
      kind === SHARED_COMPONENTS
        ? members
        : Object.fromEntries(
            Object.entries(members).map(([name, member]) => [
              `${plugin}.${name}`,
              member,
            ]),
          ),
    ]),
  );
  return named;
}
