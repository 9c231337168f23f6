import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { repositoryRoot } from './layout.ts';

// Writes a software bill of materials (CycloneDX, JSON) for each deployed part: its production
// dependencies and their licences. The portal's backend serves the app, so its list includes that
// of the app.

const generator = createRequire(import.meta.url).resolve(
  '@cyclonedx/yarn-plugin-cyclonedx/bin/cyclonedx-yarn-cli.js',
);
const target = path.join(repositoryRoot, 'dist', 'sbom');
const deployed = [
  { name: 'portal', folder: 'packages/backend' },
  ...readdirSync(path.join(repositoryRoot, 'services'), {
    withFileTypes: true,
  })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => ({ name, folder: `services/${name}` })),
];

mkdirSync(target, { recursive: true });
for (const { name, folder } of deployed) {
  const file = path.join(target, `${name}.cdx.json`);
  execFileSync(
    process.execPath,
    [generator, '--production', '--output-reproducible', '-o', file],
    { cwd: path.join(repositoryRoot, folder), stdio: ['ignore', 2, 2] },
  );
  process.stdout.write(`${path.relative(repositoryRoot, file)}\n`);
}
