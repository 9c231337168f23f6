import { NotFoundError, type ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import type { Permissions } from '../access/Permissions.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { JobFolder } from '../jobs/JobFolder.ts';
import { JobParams } from './schemas.ts';

/** Registers the route that returns the text of a job's file, to be shown next to its faults. */
export function jobFileRoutes(
  app: ServiceApp,
  options: {
    permissions: Permissions;
    jobs: JobCatalog;
    folder: Pick<JobFolder, 'text'>;
  },
): void {
  const { permissions, jobs, folder } = options;
  app.get(
    '/job/:job/file',
    {
      config: { access: permissions.read },
      schema: {
        tags: ['jobs'],
        summary: 'Read the file that describes a job',
        params: JobParams,
        response: {
          200: Type.Object({
            file: Type.String(),
            text: Type.String({
              description: 'Without credentials that addresses contain.',
            }),
          }),
        },
      },
    },
    async ({ params }) => {
      const { name } = jobs.get(params.job);
      const { file } = jobs.fileOf(name);
      const text = file === null ? undefined : await folder.text(file);
      if (file === null || text === undefined) {
        throw new NotFoundError(`Job ${name} has no file`);
      }
      return { file, text };
    },
  );
}
