import {
  type Access,
  NotFoundError,
  type ServiceApp,
} from '@slipway/service-kit';
import { Type } from 'typebox';
import { assertOwn, assertSelf, type PersonHasher } from '../people/person.ts';
import { UserId } from '../schemas.ts';
import type { DatabasePersonStore } from './storage/DatabasePersonStore.ts';
import { ErasureAnswer, PersonAnswer } from './schemas.ts';

/** Adds the routes with which people read and delete the data stored about them. */
export function personalDataRoutes(
  app: ServiceApp,
  options: {
    access: Access;
    hasher: PersonHasher;
    people: DatabasePersonStore;
  },
): void {
  const { access, hasher, people } = options;
  const params = Type.Object({ id: UserId });

  app.get(
    '/api/v1/people/:id',
    {
      config: { access },
      schema: {
        tags: ['people'],
        summary: 'Get all stored data of one person',
        params,
        response: { 200: PersonAnswer },
      },
    },
    async ({ caller, params: { id } }) => {
      assertSelf(caller, id);
      const records = await people.export(hasher.hash(id));
      if (!records) {
        throw new NotFoundError('No data is stored about this person');
      }
      return { user_id: id, ...records };
    },
  );

  app.delete(
    '/api/v1/people/:id',
    {
      config: { access },
      schema: {
        tags: ['people'],
        summary: 'Delete the stored data of one person',
        params,
        response: { 200: ErasureAnswer },
      },
    },
    async ({ caller, params: { id } }) => {
      assertOwn(caller, id);
      const erased = await people.erase(hasher.hash(id));
      return { status: 'erased', erased };
    },
  );
}
