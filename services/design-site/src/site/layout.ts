import path from 'node:path';
import { buildStorybook } from './buildStorybook.ts';
import type { SiteLayout } from './BuiltSite.ts';

const root = path.resolve(import.meta.dirname, '../..');
const designSystem = path.resolve(root, '../../packages/design-system');

/** Where the site of this package is built, and what of. */
export const siteLayout: SiteLayout = {
  directory: path.join(root, 'dist/site'),
  sources: [
    ...['.storybook', 'src', 'package.json'].map(name => path.join(root, name)),
    ...['src', 'styles', 'styles.css', 'generated', 'package.json'].map(name =>
      path.join(designSystem, name),
    ),
  ],
  buildInto: (directory, signal) => buildStorybook({ root, directory, signal }),
};
