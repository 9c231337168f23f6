import path from 'node:path';
import { buildStorybook } from './buildStorybook.ts';
import type { SiteLayout } from './BuiltSite.ts';

const root = path.resolve(import.meta.dirname, '../..');
const designSystem = path.resolve(root, '../../packages/design-system');

/** The folders that this package's site is built from and into. */
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
