import { mockServices } from '@backstage/backend-test-utils';
import type {
  PluginDatabaseId,
  PluginDatabases,
} from '@slipway/test-postgres/PluginDatabases';
import { WorkspaceStore } from '../storage/WorkspaceStore';

/** Opens a store on an empty database. */
export async function openStore(
  databases: PluginDatabases,
  databaseId: PluginDatabaseId = 'SQLITE_3',
) {
  const knex = await databases.init(databaseId);
  const store = await WorkspaceStore.create({
    database: mockServices.database({ knex, migrations: { skip: true } }),
  });
  return { knex, store };
}
