import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The words that templates and configuration name a service with. */
export interface NewService {
  /** Lower-case words with hyphens, e.g. `tea-room`. */
  name: string;
  /** `teaRoom`. */
  camelName: string;
  /** `Tea room`. */
  title: string;
  /** `TEA_ROOM`: the start of the names of its variables. */
  variable: string;
  port: string;
  version: string;
}

/** What is written into a file of the platform, and where. */
interface Edit {
  file: string;
  /** The place in its text before which the entry goes: the end of what matches. */
  after: RegExp;
  entry(service: NewService): string;
}

/** The endpoints of the portal's proxy: all lines below the key, to the first empty one. */
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
      return `| \`${variable}_URL\` | portal | the service as the portal reaches it | \`http://${name}:${port}\` |
| \`${variable}_DATABASE_URL\` | ${reader} | its database | \`postgresql://${name}:secret@postgres/${name}\` |
| \`${variable}_API_KEY\` | ${reader} | what scripts call it with | a secret |
`;
    },
  },
];

/**
 * Writes the entries of a new service into the files that configure and document all of
 * them: its section and its endpoint of the portal's proxy, in development and in
 * production, and its variables.
 *
 * @returns the files, relative to the root.
 * @throws Error naming the file that has no place for an entry.
 */
export async function joinPlatform(
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
