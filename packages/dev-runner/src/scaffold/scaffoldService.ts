import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readServices, toCamelCase } from '../readAddresses.ts';

/** The names of a service in templates and configuration. */
interface NewService {
  /** Lower-case words with hyphens, e.g. `tea-room`. */
  name: string;
  /** `teaRoom`. */
  camelName: string;
  /** `Tea room`. */
  title: string;
  /** `TEA_ROOM`: the prefix of its variables. */
  variable: string;
  port: string;
  version: string;
}

/** An entry to insert into a file of the platform, and where. */
interface Edit {
  file: string;
  /** Matches the text after which the entry is inserted. */
  after: RegExp;
  entry(service: NewService): string;
}

/**
 * Matches the endpoints of the portal's proxy: all lines below the key up to the first empty one.
 */
const ENDPOINTS = /^proxy:\n(?:.+\n)+/m;
const END = /$(?![^])/;
/** Matches the tables of the policy, up to the next section. */
const POLICY = /^## The policy, route by route\n(?:(?!## ).*\n)*/m;
/** Matches the requests for the tables of the policy, up to the end of the object. */
const REQUESTS = /^export const requests\b.*\n(?:(?!};).*\n)*/m;

/** The routes of a new service, each with the object that the policy names for it. */
const ROUTES: readonly (readonly [route: string, object: string])[] = [
  ['POST /api/v1/items', ''],
  ['GET /api/v1/items', ''],
  ['GET /api/v1/items/{id}', 'an item'],
];
const OPEN_ROUTES = ['/health', '/ready', '/metrics', '/openapi.json'];

const EDITS: readonly Edit[] = [
  {
    file: 'app-config.yaml',
    after: ENDPOINTS,
    entry: ({ name, port }) => `    /${name}:
      target: http://localhost:${port}
`,
  },
  {
    file: 'app-config.yaml',
    after: END,
    entry: ({ camelName, port }) => `
${camelName}:
  listen:
    host: 127.0.0.1
    port: ${port}
  auth:
    apiKeys:
      - name: development
        key: dev-new-service-key
`,
  },
  {
    file: 'app-config.production.yaml',
    after: ENDPOINTS,
    entry: ({ name, variable }) => `    /${name}:
      target: \${${variable}_URL}
`,
  },
  {
    file: 'app-config.production.yaml',
    after: END,
    entry: ({ camelName, variable }) => `
${camelName}:
  listen:
    host: 0.0.0.0
  database:
    client: pg
    connection: \${${variable}_DATABASE_URL}
  auth:
    apiKeys:
      - name: production
        key: \${${variable}_API_KEY}
`,
  },
  {
    file: 'docs/production.md',
    after: /^\| `BUILD_API_TOKEN`.*\n/m,
    entry: ({ name, title, variable, port }) => {
      const reader = title.toLowerCase();
      return `| \`${variable}_URL\` | portal | the service's address for the portal | \`http://${name}:${port}\` |
| \`${variable}_DATABASE_URL\` | ${reader} | its database | \`postgresql://${name}:secret@postgres/${name}\` |
| \`${variable}_API_KEY\` | ${reader} | key with which scripts call it | a secret |
`;
    },
  },
  {
    file: 'docs/security.md',
    after: POLICY,
    entry: ({ title }) => `
### ${title}

| Route | Object | anonymous | wrong credential | user | owner | admin | service token | key |
| - | - | - | - | - | - | - | - | - |
${ROUTES.map(([route, object]) => `| \`${route}\` | ${object} | 401 | 401 | yes | yes | yes | 401 | yes |\n`).join('')}${OPEN_ROUTES.map(route => `| \`GET ${route}\` | | yes | yes | yes | yes | yes | yes | yes |\n`).join('')}`,
  },
  {
    file: 'packages/backend/src/policy/__testUtils__/requests.ts',
    after: REQUESTS,
    entry: ({ title, camelName }) => `  '${title}': {
    part: '${camelName}',
    credentials: { key: apiKey('test-service-key') },
    objects: {
      'an item': async platform => {
        const { id } = await platform.arrange(
          '${camelName}',
          asOwner(platform, {
            method: 'POST',
            path: '/api/v1/items',
            body: { name: 'First' },
          }),
        );
        return { params: { id } };
      },
    },
    routes: { 'POST /api/v1/items': { body: { name: 'First' } } },
  },
`,
  },
  {
    file: 'services/README.md',
    after: /^\| \[design-site\].*\n/m,
    entry: ({ name, port }) =>
      `| [${name}](${name}) | ${port} | items | none |\n`,
  },
];

/**
 * Adds the entries of a new service to the files that configure, document and test all services:
 * its section and its endpoint in the portal's proxy, both for development and for production, its
 * variables, the policy of its routes with the requests that test it, and its row in the list.
 *
 * @returns the files, relative to the root.
 * @throws Error naming the file that has no place for an entry.
 */
async function joinPlatform(
  root: string,
  service: NewService,
): Promise<string[]> {
  const texts = new Map<string, string>();
  for (const { file, after, entry } of EDITS) {
    const text =
      texts.get(file) ?? (await readFile(path.join(root, file), 'utf8'));
    const match = after.exec(text);
    if (!match) {
      throw new Error(`${file} has no place for ${service.name}`);
    }
    const place = match.index + match[0].length;
    texts.set(file, text.slice(0, place) + entry(service) + text.slice(place));
  }
  // Writes nothing until every entry has its place, so that a failure changes no file.
  for (const [file, text] of texts) {
    await writeFile(path.join(root, file), text);
  }
  return [...texts.keys()];
}

const TEMPLATES = fileURLToPath(
  new URL('../../templates/service/', import.meta.url),
);
const SUFFIX = '.template';

/**
 * Creates `services/<name>`, a service that runs and passes its tests, and adds its entries to the
 * platform's files that list all services.
 *
 * @param options.root - absolute path of the repository.
 * @returns the new or changed files, relative to the root.
 * @throws Error if the name is invalid, belongs to an existing service or to another section of the
 *   configuration, or if another service uses the port.
 */
export async function scaffoldService(options: {
  root: string;
  name: string;
  port: number;
  version: string;
}): Promise<string[]> {
  const { root, name, port, version } = options;
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new Error(
      `${name} is not a name of lower-case words with hyphens between them`,
    );
  }
  const target = path.join(root, 'services', name);
  if (await stat(target).catch(() => undefined)) {
    throw new Error(`services/${name} already exists`);
  }
  const camelName = toCamelCase(name);
  const config = await readFile(path.join(root, 'app-config.yaml'), 'utf8');
  if (config.includes(`\n${camelName}:`)) {
    throw new Error(`app-config.yaml already has a section ${camelName}`);
  }
  const neighbour = readServices(root).find(other => other.port === port);
  if (neighbour) {
    throw new Error(`port ${port} is that of services/${neighbour.name}`);
  }
  const words = name.replaceAll('-', ' ');
  const service: NewService = {
    name,
    camelName,
    title: words[0].toUpperCase() + words.slice(1),
    variable: name.replaceAll('-', '_').toUpperCase(),
    port: String(port),
    version,
  };
  const joined = await joinPlatform(root, service);
  const written = await writeTemplates(target, service);
  return [...joined, ...written.map(file => path.relative(root, file))].sort();
}

async function writeTemplates(
  target: string,
  service: NewService,
): Promise<string[]> {
  const written: string[] = [];
  for (const entry of await readdir(TEMPLATES, { recursive: true })) {
    if (!entry.endsWith(SUFFIX)) {
      continue;
    }
    const template = await readFile(path.join(TEMPLATES, entry), 'utf8');
    const file = path.join(target, entry.slice(0, -SUFFIX.length));
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(
      file,
      template.replace(
        /\{\{(\w+)\}\}/g,
        (_match, key: string) => service[key as keyof NewService],
      ),
    );
    written.push(file);
  }
  return written;
}
