import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { toCamelCase } from '../readAddresses.ts';

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
];

/**
 * Adds the entries of a new service to the files that configure and document all services: its
 * section and its endpoint in the portal's proxy, both for development and for production, and its
 * variables.
 *
 * @returns the files, relative to the root.
 * @throws Error naming the file that has no place for an entry.
 */
async function joinPlatform(
  root: string,
  service: NewService,
): Promise<string[]> {
  const files = new Set(EDITS.map(({ file }) => file));
  for (const file of files) {
    const target = path.join(root, file);
    let text = await readFile(target, 'utf8');
    for (const { after, entry } of EDITS.filter(edit => edit.file === file)) {
      const match = after.exec(text);
      if (!match) {
        throw new Error(`${file} has no place for ${service.name}`);
      }
      const place = match.index + match[0].length;
      text = text.slice(0, place) + entry(service) + text.slice(place);
    }
    await writeFile(target, text);
  }
  return [...files];
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
 * @throws Error if the name is invalid for a service, or already exists.
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
  const words = name.replaceAll('-', ' ');
  const service: NewService = {
    name,
    camelName: toCamelCase(name),
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
