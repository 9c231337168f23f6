import {
  InvalidRequestError,
  instantOf,
  type ServiceApp,
} from '@slipway/service-kit';
import { type FlagAccess, tokenOf } from '../access.ts';
import type { UsageIntake } from '../usage/UsageIntake.ts';
import { Accepted, UsageBody } from './schemas.ts';

/** `POST /api/client/metrics`: how often flags were asked for, and what they said. */
export function usageRoutes(
  app: ServiceApp,
  { usage, access }: { usage: UsageIntake; access: FlagAccess },
): void {
  app.post(
    '/api/client/metrics',
    {
      config: { access: access.client },
      schema: {
        tags: ['client'],
        summary: 'Report usage; flags that are not known are not counted',
        body: UsageBody,
        response: { 202: Accepted },
      },
    },
    async ({ body, caller }, reply) => {
      const { appName, bucket, impactMetrics } = body;
      if (!bucket && impactMetrics === undefined) {
        throw new InvalidRequestError('bucket is required', {
          field: 'bucket',
          constraint: 'required',
        });
      }
      if (bucket) {
        const start = instantOf(bucket.start);
        const stop = instantOf(bucket.stop);
        if (start > stop) {
          throw new InvalidRequestError(
            'bucket.start must not be after bucket.stop',
            { field: 'bucket.start', constraint: 'maximum' },
          );
        }
        await usage.add({
          appName,
          environment: tokenOf(caller).environment,
          at: stop,
          counts: Object.entries(bucket.toggles).map(([flag, { yes, no }]) => ({
            flag,
            yes,
            no,
          })),
        });
      }
      return reply.code(202).send(undefined);
    },
  );
}
