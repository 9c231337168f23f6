import { BuiltSite } from './site/BuiltSite.ts';
import { siteLayout } from './site/buildStorybook.ts';

/**
 * Builds the site into the directory that it is served from, even if it is up to date.
 */
async function main(): Promise<void> {
  const site = await BuiltSite.open(siteLayout);
  await site.build();
  process.stdout.write(`Built ${siteLayout.directory}\n`);
}

void main();
