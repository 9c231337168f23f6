import type { Access, ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import { LoadSubmission, toCognitiveLoad } from '../cognitive-load/schemas.ts';
import { FrictionSubmission, toFrictionLog } from '../friction/schemas.ts';
import type { Attributed, Attribution, Origin } from '../people/Attribution.ts';
import type { PersonHasher } from '../people/person.ts';
import type { DatabasePersonStore } from '../personal-data/storage/DatabasePersonStore.ts';
import { UserId } from '../schemas.ts';
import { PulseSubmission, toSurvey } from '../surveys/schemas.ts';
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
 * Adds the routes with which other systems, which need a key, submit the answers of many people and
 * delete many people at a time. Either all answers of a batch are stored, or none.
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
      const read = async <T extends Origin, R>(
        items: readonly T[],
        toRecord: (item: T, by: Attributed) => R,
      ): Promise<R[]> => {
        const records: R[] = [];
        for (const item of items) {
          records.push(toRecord(item, await attribution.of(caller, item)));
        }
        return records;
      };
      await imports.add({
        surveys: await read(surveys, toSurvey),
        frictionLogs: await read(logs, toFrictionLog),
        cognitiveLoads: await read(loads, toCognitiveLoad),
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
