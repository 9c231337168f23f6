import {
  mockServices,
  TestDatabaseId,
  TestDatabases,
} from '@backstage/backend-test-utils';
import { WorkspaceStore } from '../storage/WorkspaceStore';

/** A store on an empty database. */
export async function openStore(
  databases: TestDatabases,
  databaseId: TestDatabaseId = 'SQLITE_3',
) {
  const knex = await databases.init(databaseId);
  const store = await WorkspaceStore.create({
    database: mockServices.database({ knex, migrations: { skip: false } }),
  });
  return { knex, store };
}
