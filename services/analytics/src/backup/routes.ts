import type { Access, ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import type { Backup, Backups } from './Backups.ts';

const BackupBody = Type.Object({
  name: Type.String(),
  state: Type.String({ enum: ['running', 'done', 'failed'] }),
  bytes: Type.Optional(Type.Integer()),
  engine: Type.Optional(Type.String()),
  started_at: Type.Optional(Type.String({ format: 'date-time' })),
  finished_at: Type.Optional(Type.String({ format: 'date-time' })),
});

const tags = ['backups'];

/** Adds the routes of backups. */
export function backupRoutes(
  app: ServiceApp,
  { backups, access }: { backups: Backups; access: Access },
): void {
  app.post(
    '/api/backups',
    {
      config: { access, audited: true, faults: ['conflict'] },
      schema: {
        tags,
        summary: 'Start a backup of the events of this replica',
        response: { 202: BackupBody },
      },
    },
    async (_request, reply) => {
      reply.code(202);
      return toBody(await backups.start());
    },
  );
  app.get(
    '/api/backups',
    {
      config: { access },
      schema: {
        tags,
        summary: 'List the backups of this replica, the newest first',
        response: { 200: Type.Object({ backups: Type.Array(BackupBody) }) },
      },
    },
    async () => ({ backups: (await backups.list()).map(toBody) }),
  );
  app.get(
    '/api/backups/:name',
    {
      config: { access },
      schema: {
        tags,
        summary: 'Get the state of a backup',
        params: Type.Object({ name: Type.String({ maxLength: 64 }) }),
        response: { 200: BackupBody },
      },
    },
    async ({ params }) => toBody(await backups.get(params.name)),
  );
}

function toBody({ name, state, bytes, manifest }: Backup) {
  return {
    name,
    state,
    bytes,
    ...(manifest && {
      engine: manifest.engine,
      started_at: manifest.startedAt,
      finished_at: manifest.finishedAt,
    }),
  };
}
