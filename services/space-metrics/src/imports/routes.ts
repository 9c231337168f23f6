import type { Access, Caller, ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import { v7 } from 'uuid';
import { scoresOf } from '../cognitive-load/CognitiveLoad.ts';
import { LoadSubmission } from '../cognitive-load/schemas.ts';
import { normaliseCategory } from '../friction/FrictionLog.ts';
import { FrictionSubmission } from '../friction/schemas.ts';
import type { Attribution } from '../people/Attribution.ts';
import type { PersonHasher } from '../people/person.ts';
import type { DatabasePersonStore } from '../personal-data/storage/DatabasePersonStore.ts';
import { UserId } from '../schemas.ts';
import { PulseSubmission } from '../surveys/schemas.ts';
import type { DatabaseImportStore } from './storage/DatabaseImportStore.ts';

const MAX_ITEMS = 1_000;

const Counts = {
  surveys: Type.Integer(),
  friction_logs: Type.Integer(),
  cognitive_loads: Type.Integer(),
};

/** Body of `POST /api/v1/imports`. */
const ImportBody = Type.Object({
  surveys: Type.Array(PulseSubmission, { maxItems: MAX_ITEMS, default: [] }),
  friction_logs: Type.Array(FrictionSubmission, {
    maxItems: MAX_ITEMS,
    default: [],
  }),
  cognitive_loads: Type.Array(LoadSubmission, {
    maxItems: MAX_ITEMS,
    default: [],
  }),
});

const ErasureBody = Type.Object({
  user_ids: Type.Array(UserId, { minItems: 1, maxItems: MAX_ITEMS }),
});

/**
 * Adds the routes with which other systems, which hold a key, submit the answers of many people and
 * delete many people at once. Either all answers of a batch are stored, or none.
 */
export function importRoutes(
  app: ServiceApp,
  options: {
    access: Access;
    attribution: Attribution;
    hasher: PersonHasher;
    imports: DatabaseImportStore;
    people: DatabasePersonStore;
  },
): void {
  const { access, attribution, hasher, imports, people } = options;

  app.post(
    '/api/v1/imports',
    {
      config: { access },
      schema: {
        tags: ['imports'],
        summary:
          'Import surveys, friction logs and cognitive load scores of several people',
        body: ImportBody,
        response: {
          201: Type.Object({ status: Type.String(), ...Counts }),
        },
      },
    },
    async ({ body, caller }, reply) => {
      const { surveys, friction_logs: logs, cognitive_loads: loads } = body;
      const of = attributor(attribution, caller);
      const read = {
        surveys: await of(surveys),
        logs: await of(logs),
        loads: await of(loads),
      };
      await imports.add({
        surveys: read.surveys.map(({ item: { responses }, by }) => ({
          ...by,
          id: `survey_${v7()}`,
          overallSatisfaction: responses.overall_satisfaction,
          productivityThisWeek: responses.productivity_this_week,
          ...(responses.recommend !== undefined && {
            recommend: responses.recommend,
          }),
          blockers: responses.blockers ?? '',
          wins: responses.wins ?? '',
        })),
        frictionLogs: read.logs.map(({ item, by }) => ({
          ...by,
          id: `friction_${v7()}`,
          category: normaliseCategory(item.category),
          severity: item.severity,
          timeLostMinutes: item.time_lost_minutes,
          description: item.description,
        })),
        cognitiveLoads: read.loads.map(({ item: { task, scores }, by }) => ({
          ...by,
          id: `tlx_${v7()}`,
          task,
          scores: scoresOf(scores),
        })),
      });
      reply.code(201);
      return {
        status: 'success',
        surveys: surveys.length,
        friction_logs: logs.length,
        cognitive_loads: loads.length,
      };
    },
  );

  app.post(
    '/api/v1/people/erasures',
    {
      config: { access, audited: true },
      schema: {
        tags: ['people'],
        summary: 'Delete the stored data of several people',
        body: ErasureBody,
        response: {
          200: Type.Object({
            status: Type.String(),
            erased: Type.Object({ ...Counts, activity: Type.Integer() }),
          }),
        },
      },
    },
    async ({ body }) => {
      const erased = {
        surveys: 0,
        friction_logs: 0,
        cognitive_loads: 0,
        activity: 0,
      };
      for (const id of new Set(body.user_ids)) {
        const counts = await people.erase(hasher.hash(id));
        for (const kind of Object.keys(erased) as (keyof typeof erased)[]) {
          erased[kind] += counts[kind];
        }
      }
      await people.forgetEmptyTeams();
      return { status: 'erased', erased };
    },
  );
}

/**
 * Creates a function that attributes each item to a person; one invalid item rejects the whole
 * batch.
 */
function attributor(attribution: Attribution, caller: Caller) {
  return async <
    T extends { user_id: string; team?: string; timestamp?: string },
  >(
    items: readonly T[],
  ) => {
    const read = [];
    for (const item of items) {
      const { user_id, team, timestamp } = item;
      const by = await attribution.of(caller, { user_id, team, timestamp });
      read.push({ item, by });
    }
    return read;
  };
}
