import {
  type PluginDatabaseId,
  PluginDatabases,
} from '@slipway/test-postgres/PluginDatabases';
import { WORKSPACE_MIGRATIONS } from '../storage/WorkspaceStore';

/** Creates the databases of a suite, each with the plugin's tables. */
export function workspaceDatabases(
  ids: PluginDatabaseId[] = ['SQLITE_3'],
): PluginDatabases {
  return PluginDatabases.create({ ids, migrations: WORKSPACE_MIGRATIONS });
}
