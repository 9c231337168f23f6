import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { joinPlatform, type NewService } from './joinPlatform.ts';

const TEMPLATES = fileURLToPath(
  new URL('../../templates/service/', import.meta.url),
);
const SUFFIX = '.template';

/**
 * Writes `services/<name>`, a service that runs and passes its tests, and its entries in
 * the files of the platform that name each service.
 *
 * @param options.root - absolute path of the repository.
 * @returns the files that are new or changed, relative to the root.
 * @throws Error when the name cannot be that of a service, or is taken.
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
  const words = name.replaceAll('-', ' ');
  const service: NewService = {
    name,
    camelName: name.replace(/-(.)/g, (_, letter: string) =>
      letter.toUpperCase(),
    ),
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
