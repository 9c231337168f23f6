import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const TEMPLATES = fileURLToPath(
  new URL('../../templates/service/', import.meta.url),
);
const SUFFIX = '.template';

/**
 * Writes `services/<name>`: a service that runs and passes its tests.
 *
 * @param options.name - lower-case words with hyphens.
 * @returns the files, relative to the root.
 * @throws Error when the name does not do or is taken.
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
    throw new Error(`services/${name} is there already`);
  }
  const values: Record<string, string> = {
    name,
    version,
    camelName: toCamelCase(name),
    title: toTitle(name),
    port: String(port),
  };
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
      template.replace(/\{\{(\w+)\}\}/g, (_match, key: string) => values[key]),
    );
    written.push(path.relative(root, file));
  }
  return written.sort();
}

/** `build-server` becomes `buildServer`. */
export function toCamelCase(name: string): string {
  return name.replace(/-(.)/g, (_match, letter: string) =>
    letter.toUpperCase(),
  );
}

/** `build-server` becomes `Build server`. */
function toTitle(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words[0].toUpperCase() + words.slice(1);
}
