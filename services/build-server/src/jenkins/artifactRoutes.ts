import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { finished, PassThrough, type Readable } from 'node:stream';
import { NotFoundError, type ServiceApp } from '@slipway/service-kit';
import { ZipFile } from 'yazl';
import type { Permissions } from '../access/Permissions.ts';
import type { Artifacts } from '../artifacts/Artifacts.ts';
import type { Artifact } from '../builds/Build.ts';
import type { BuildLookup } from './BuildLookup.ts';
import { ArtifactParams } from './schemas.ts';

/** Path of all artifacts of a build as one archive, as Jenkins names it. */
const ARCHIVE = '*zip*/archive.zip';

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
        summary: 'Download an artifact, or all as *zip*/archive.zip',
        params: ArtifactParams,
      },
    },
    async ({ params }, reply) => {
      const { id, artifacts: kept } = await lookup.build(params);
      const name = params['*'];
      if (name === ARCHIVE && kept.length > 0) {
        return reply
          .type('application/zip')
          .header('content-disposition', 'attachment; filename=archive.zip')
          .send(archiveOf(kept, file => artifacts.open(id, file.path)));
      }
      const file = kept.some(artifact => artifact.path === name)
        ? await artifacts.open(id, name)
        : undefined;
      if (!file) {
        throw new NotFoundError(`Artifact ${name} not found`);
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

/**
 * Streams files as a ZIP archive with the folder `archive`, one file open at a time. The stream
 * fails if a file is deleted before it is sent.
 */
function archiveOf(
  files: readonly Artifact[],
  open: (file: Artifact) => Promise<FileHandle | undefined>,
): Readable {
  const zip = new ZipFile();
  const archive = new PassThrough();
  const reading: { file?: Readable } = {};
  for (const file of files) {
    // Programs that read archives treat a backslash as a folder separator.
    const name = `archive/${file.path.replaceAll('\\', '_')}`;
    zip.addReadStreamLazy(name, { mode: 0o100644 }, async done => {
      const handle = await open(file).catch(() => undefined);
      if (archive.destroyed || !handle) {
        await handle?.close();
        archive.destroy(new Error(`The artifact ${file.path} was deleted`));
        return;
      }
      reading.file = handle.createReadStream();
      done(null, reading.file);
    });
  }
  zip.on('error', (error: Error) => archive.destroy(error));
  zip.end();
  finished(archive, () => reading.file?.destroy());
  return zip.outputStream.pipe(archive);
}
