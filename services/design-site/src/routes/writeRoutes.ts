import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { storybookAddress } from './addresses.ts';
import { componentRoutes, type IndexEntry } from './componentRoutes.ts';
import { notFoundPage, redirectPage } from './notFoundPage.ts';

/**
 * Gives a built site its addresses as files, so that any web server can serve it:
 * `story/<component>/index.html`, `docs/<component>/index.html` and `404.html`.
 *
 * @param directory - where Storybook built the site.
 * @returns how many components have addresses now.
 * @throws DuplicateSlugError
 */
export async function writeRoutes(directory: string): Promise<number> {
  const index = JSON.parse(
    await readFile(path.join(directory, 'index.json'), 'utf8'),
  ) as { entries: Record<string, IndexEntry> };
  const components = componentRoutes(Object.values(index.entries));
  for (const component of components) {
    for (const kind of ['story', 'docs'] as const) {
      const folder = path.join(directory, kind, component.slug);
      await mkdir(folder, { recursive: true });
      await writeFile(
        path.join(folder, 'index.html'),
        redirectPage(
          component.title,
          `../../${storybookAddress(kind, component)}`,
        ),
      );
    }
  }
  await writeFile(path.join(directory, '404.html'), notFoundPage(components));
  return components.length;
}
