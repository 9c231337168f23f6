import { BuiltSite } from './site/BuiltSite.ts';
import { siteLayout } from './site/buildStorybook.ts';

/** Builds the site where it would be served from, whether or not it is stale. */
async function main(): Promise<void> {
  const site = await BuiltSite.open(siteLayout);
  await site.build();
  process.stdout.write(`Built ${siteLayout.directory}\n`);
}

void main();
