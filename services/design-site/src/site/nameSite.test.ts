// @vitest-environment node
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { nameSite } from './buildStorybook';

it('changes only the title of a page', async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'design-site-'));
  try {
    const file = path.join(directory, 'index.html');
    await writeFile(
      file,
      '<head><title>storybook - Storybook</title><link rel="icon"></head>',
    );
    await nameSite(directory);
    expect(await readFile(file, 'utf8')).toBe(
      '<head><title>Slipway design system</title><link rel="icon"></head>',
    );
  } finally {
    await rm(directory, { recursive: true });
  }
});
