import type { Access, ServiceApp } from '@slipway/service-kit';
import type { Attribution } from '../people/Attribution.ts';
import { readTeamQuery } from '../people/team.ts';
import { presentPeriod, readPeriod } from '../periods/Period.ts';
import type { TopFriction } from './FrictionLog.ts';
import type { DatabaseFrictionStore } from './storage/DatabaseFrictionStore.ts';
import {
  FrictionReceipt,
  FrictionSubmission,
  toFrictionLog,
  TopAnswer,
  TopQuery,
} from './schemas.ts';

/** Adds the routes that accept friction logs and report the costliest friction. */
export function frictionRoutes(
  app: ServiceApp,
  options: {
    access: { submit: Access; read: Access };
    attribution: Attribution;
    friction: DatabaseFrictionStore;
    /** Reads the friction that may be shown. */
    shown: TopFriction;
    minimumGroupSize: number;
    timeZone: string;
    now: () => Date;
  },
): void {
  const { access, attribution, friction, shown, now, timeZone } = options;

  app.post(
    '/api/v1/friction-log/submit',
    {
      config: { access: access.submit },
      schema: {
        tags: ['friction'],
        summary: 'Log what got in the way',
        body: FrictionSubmission,
        response: { 201: FrictionReceipt },
      },
    },
    async (request, reply) => {
      const { body, caller } = request;
      const log = toFrictionLog(body, await attribution.of(caller, body));
      await friction.add(log);
      reply.code(201);
      return {
        status: 'success',
        friction_id: log.id,
        message: 'Friction logged.',
      };
    },
  );

  app.get(
    '/api/v1/friction-log/top',
    {
      config: { access: access.read },
      schema: {
        tags: ['friction'],
        summary: 'Get what costs a team the most time, by category',
        querystring: TopQuery,
        response: { 200: TopAnswer },
      },
    },
    async ({ query }) => {
      const period = readPeriod(query, { now: now(), timeZone });
      const items = await shown.top({
        team: readTeamQuery(query.team),
        period,
        limit: query.limit,
      });
      return {
        team: query.team ?? 'all',
        period: presentPeriod(period),
        minimum_group_size: options.minimumGroupSize,
        items: items.map(item => ({
          category: item.category,
          entries: item.entries,
          reporters: item.reporters,
          time_lost_minutes: item.timeLostMinutes,
          texts: item.texts.map(description => ({ description })),
        })),
      };
    },
  );
}
