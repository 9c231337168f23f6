import { parseArgs } from 'node:util';
import { findRepositoryRoot } from '../config/readSection.ts';
import { scaffoldService, toCamelCase } from './scaffoldService.ts';

const USAGE = 'Usage: yarn new:service NAME [--port 8300]\n';

async function newService(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { port: { type: 'string', default: '8300' } },
  });
  const [name] = positionals;
  const port = Number(values.port);
  if (!name || positionals.length > 1 || !Number.isInteger(port)) {
    throw new Error(USAGE);
  }
  const { root, version } = findRepositoryRoot();
  const files = await scaffoldService({ root, name, port, version });
  process.stdout.write(`${files.map(file => `  ${file}`).join('\n')}

Next:
  yarn install
  yarn workspace @slipway/${name} test
  yarn workspace @slipway/${name} start

Give it a key to write with, in app-config.yaml:

${toCamelCase(name)}:
  auth:
    apiKeys:
      - name: development
        key: dev-${name}-key

and an entry in packages/dev-runner/src/parts.ts to be run by yarn dev.
Production must refuse that key, and the portal leave the section to the service: name
dev-${name}-key in packages/platform-guards/src/production/developmentCredentials.ts and
${toCamelCase(
  name,
)} in packages/portal-kit/src/production/assertFitForProduction.ts.
`);
}

newService().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
