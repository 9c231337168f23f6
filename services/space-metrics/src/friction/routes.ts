import type { Access, ServiceApp } from '@slipway/service-kit';
import { v7 } from 'uuid';
import type { Attribution } from '../people/Attribution.ts';
import { readTeamQuery } from '../people/team.ts';
import { presentPeriod, readPeriod } from '../periods/Period.ts';
import { type TopFriction, normaliseCategory } from './FrictionLog.ts';
import type { DatabaseFrictionStore } from './storage/DatabaseFrictionStore.ts';
import {
  FrictionReceipt,
  FrictionSubmission,
  TopAnswer,
  TopQuery,
} from './schemas.ts';

/** Adds the routes that accept friction logs and report what costs the most. */
export function frictionRoutes(
  app: ServiceApp,
  options: {
    access: { submit: Access; read: Access };
    attribution: Attribution;
    friction: DatabaseFrictionStore;
    /** The friction that may be shown. */
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
      const { user_id, team, timestamp, ...log } = request.body;
      const attributed = await attribution.of(request.caller, {
        user_id,
        team,
        timestamp,
      });
      const id = `friction_${v7()}`;
      await friction.add({
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
