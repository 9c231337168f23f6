import { spawnSync } from 'node:child_process';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import { repositoryRoot } from '@slipway/dev-runner/src/layout.ts';
import fastify from 'fastify';
import { ports } from './addresses.ts';

// Serves the portal's pages without any back end, for tests that replay its responses. Builds
// them first if their sources have changed. Their configuration is that of `app-config.yaml`.

const root = path.join(repositoryRoot, 'packages/app/dist');
const build = path.join(
  repositoryRoot,
  'packages/dev-runner/src/portal/buildApp.ts',
);

async function main(): Promise<void> {
  const { status } = spawnSync(process.execPath, [build], { stdio: 'inherit' });
  if (status !== 0) {
    process.exit(1);
  }
  const server = fastify();
  await server.register(fastifyStatic, {
    root,
    preCompressed: true,
    // File names contain a hash of the content, except for that of the page itself.
    immutable: true,
    maxAge: '1d',
  });
  server.setNotFoundHandler((_request, reply) =>
    reply.sendFile('index.html', { immutable: false, maxAge: 0 }),
  );
  await server.listen({ port: ports.pages, host: '127.0.0.1' });
}

void main();
