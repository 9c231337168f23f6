import {
  type PluginDatabaseId,
  PluginDatabases,
} from '@slipway/test-postgres/PluginDatabases';
import { LAKE_MIGRATIONS } from '../openLakeDatabase';

/** Creates the databases of a suite, each with the tables of the lake. */
export function lakeDatabases(
  ids: PluginDatabaseId[] = ['SQLITE_3', 'POSTGRES_18'],
): PluginDatabases {
  return PluginDatabases.create({ ids, migrations: LAKE_MIGRATIONS });
}
