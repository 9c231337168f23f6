import type { ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import type { FlagAccess } from '../access.ts';
import type { ApplicationStore } from './ApplicationStore.ts';

const MOST = 500;

const ApplicationList = Type.Object({
  applications: Type.Array(
    Type.Object({
      appName: Type.String(),
      instances: Type.Integer(),
      sdkVersions: Type.Array(Type.String()),
      seenAt: Type.String({ format: 'date-time' }),
    }),
  ),
});

/** `GET /api/admin/metrics/applications`: who has registered. */
export function applicationRoutes(
  app: ServiceApp,
  options: { applications: ApplicationStore; access: FlagAccess },
): void {
  const { applications, access } = options;
  app.get(
    '/api/admin/metrics/applications',
    {
      config: { access: access.read },
      schema: {
        tags: ['usage'],
        summary: 'Applications that ask for flags, those seen last first',
        response: { 200: ApplicationList },
      },
    },
    async () => ({
      applications: (await applications.list(MOST)).map(one => ({
        ...one,
        sdkVersions: [...one.sdkVersions],
        seenAt: new Date(one.seenAt).toISOString(),
      })),
    }),
  );
}
