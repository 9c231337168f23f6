import { isoOf } from '@slipway/entity-contract';
import type { ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import type { FlagAccess } from '../tokens/access.ts';
import type { UnknownFlags } from './UnknownFlags.ts';

const Time = Type.String({ format: 'date-time' });

const UnknownFlagList = Type.Object({
  unknownFlags: Type.Array(
    Type.Object({
      name: Type.String(),
      lastSeenAt: Time,
      reports: Type.Array(
        Type.Object({
          appName: Type.String(),
          environments: Type.Array(
            Type.Object({ environment: Type.String(), seenAt: Time }),
          ),
        }),
      ),
    }),
  ),
});

/** Adds `GET /api/admin/metrics/unknown-flags`, in Unleash's format. */
export function unknownFlagRoutes(
  app: ServiceApp,
  options: { unknown: UnknownFlags; access: FlagAccess },
): void {
  const { unknown, access } = options;
  app.get(
    '/api/admin/metrics/unknown-flags',
    {
      config: { access: access.read },
      schema: {
        tags: ['usage'],
        summary:
          'List flags that applications ask for and that do not exist, last seen first',
        response: { 200: UnknownFlagList },
      },
    },
    async () => ({
      unknownFlags: (await unknown.list()).map(flag => ({
        name: flag.name,
        lastSeenAt: isoOf(flag.lastSeenAt),
        reports: [...Map.groupBy(flag.reports, ({ appName }) => appName)].map(
          ([appName, reports]) => ({
            appName,
            environments: reports.map(({ environment, seenAt }) => ({
              environment,
              seenAt: isoOf(seenAt),
            })),
          }),
        ),
      })),
    }),
  );
}
