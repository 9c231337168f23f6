import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SITE_NAME } from './siteName.ts';

/**
 * Gives a built site its name, for those who read it without scripts: Storybook ends
 * every title with its own.
 *
 * @param directory - where Storybook built the site.
 */
export async function nameSite(directory: string): Promise<void> {
  const file = path.join(directory, 'index.html');
  const html = await readFile(file, 'utf8');
  await writeFile(
    file,
    html.replace(/<title>[^<]*<\/title>/, `<title>${SITE_NAME}</title>`),
  );
}
