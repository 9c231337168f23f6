import type { Access, ServiceApp } from '@slipway/service-kit';
import { createId } from '../createId.ts';
import type { Attribution } from '../people/Attribution.ts';
import { readTeamQuery } from '../people/team.ts';
import { presentPeriod, readPeriod } from '../periods/Period.ts';
import { normaliseCategory, type FrictionLog } from './FrictionLog.ts';
import {
  FrictionReceipt,
  FrictionSubmission,
  TopAnswer,
  TopQuery,
} from './schemas.ts';
import type { TopFriction } from './TopFriction.ts';

/** Takes friction logs and tells what costs most. */
export function frictionRoutes(
  app: ServiceApp,
  options: {
    access: { submit: Access; read: Access };
    attribution: Attribution;
    add: (log: FrictionLog) => Promise<void>;
    top: TopFriction;
    minimumGroupSize: number;
    timeZone: string;
    now: () => Date;
  },
): void {
  const { access, attribution, add, top, now, timeZone } = options;

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
      const { user_id, team, timestamp, ...log } = request.body;
      const attributed = await attribution.of(request.caller, {
        user_id,
        team,
        timestamp,
      });
      const id = createId('friction');
      await add({
        ...attributed,
        id,
        category: normaliseCategory(log.category),
        severity: log.severity,
        timeLostMinutes: log.time_lost_minutes,
        description: log.description,
      });
      reply.code(201);
      return {
        status: 'success',
        friction_id: id,
        message: 'Logged. It counts towards what gets in the way of your team.',
      };
    },
  );

  app.get(
    '/api/v1/friction-log/top',
    {
      config: { access: access.read },
      schema: {
        tags: ['friction'],
        summary: 'What costs a team most, by category',
        querystring: TopQuery,
        response: { 200: TopAnswer },
      },
    },
    async ({ query }) => {
      const period = readPeriod(query, { now: now(), timeZone });
      const items = await top.top({
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
