import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryRoot } from '../layout.ts';
import { readServices } from '../readAddresses.ts';
import { scaffoldService } from './scaffoldService.ts';

const USAGE = 'Usage: yarn new:service NAME [--port PORT]\n';

async function newService(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { port: { type: 'string' } },
  });
  const [name] = positionals;
  const port = Number(values.port ?? nextPort());
  if (!name || positionals.length > 1 || !Number.isInteger(port)) {
    throw new Error(USAGE);
  }
  const files = await scaffoldService({
    root: repositoryRoot,
    name,
    port,
    version: readVersion(),
  });
  process.stdout.write(`${files.map(file => `  ${file}`).join('\n')}\n\n`);
  run('yarn', 'install');
  run('yarn', 'prettier', '--write', ...files);
  process.stdout.write(`
  yarn vitest run services/${name}
  yarn dev

services/README.md describes what to change with its routes, and how the portal shows what it reports.
`);
}

/** Returns the first multiple of one hundred above the ports of all services. */
function nextPort(): number {
  const ports = readServices(repositoryRoot).map(({ port }) => port);
  return (Math.floor(Math.max(...ports) / 100) + 1) * 100;
}

function readVersion(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(path.join(repositoryRoot, 'package.json'), 'utf8'),
  );
  return manifest.version;
}

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, {
    cwd: repositoryRoot,
    stdio: 'inherit',
  });
  if (status !== 0) {
    throw new Error(`${command} ${args[0]} failed\n`);
  }
}

newService().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
