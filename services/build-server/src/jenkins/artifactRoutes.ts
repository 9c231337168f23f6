import path from 'node:path';
import { NotFoundError, type ServiceApp } from '@slipway/service-kit';
import type { Permissions } from '../access/Permissions.ts';
import type { Artifacts } from '../artifacts/Artifacts.ts';
import type { BuildLookup } from './BuildLookup.ts';
import { ArtifactParams } from './schemas.ts';

/** Registers the routes that serve the artifacts of builds. */
export function artifactRoutes(
  app: ServiceApp,
  options: {
    permissions: Permissions;
    lookup: BuildLookup;
    artifacts: Artifacts;
  },
): void {
  const { permissions, lookup, artifacts } = options;
  app.get(
    '/job/:job/:build/artifact/*',
    {
      config: { access: permissions.read },
      schema: {
        tags: ['builds'],
        summary: 'Download an artifact',
        params: ArtifactParams,
      },
    },
    async ({ params }, reply) => {
      const { id, artifacts: kept } = await lookup.build(params);
      const name = params['*'];
      const file = kept.some(artifact => artifact.path === name)
        ? await artifacts.open(id, name)
        : undefined;
      if (!file) {
        throw new NotFoundError(`There is no artifact ${name}`);
      }
      const { size } = await file.stat();
      const shown = encodeURIComponent(path.posix.basename(name));
      // Artifacts are not trusted: browsers must not show them as pages of this server.
      return reply
        .type('application/octet-stream')
        .header('content-length', size)
        .header('content-disposition', `attachment; filename*=UTF-8''${shown}`)
        .header('x-content-type-options', 'nosniff')
        .send(file.createReadStream());
    },
  );
}
