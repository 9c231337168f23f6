import path from 'node:path';
import { mockServices, TestDatabases } from '@backstage/backend-test-utils';
import { openDatabase } from './database';

const databases = TestDatabases.create({ ids: ['SQLITE_3', 'POSTGRES_18'] });
const migrations = path.resolve(__dirname, '__fixtures__/migrations');

it.each(databases.eachSupportedId())(
  'lets replicas start at the same time on %s',
  async databaseId => {
    const database = mockServices.database({
      knex: await databases.init(databaseId),
      migrations: { skip: false },
    });
    // SQLite has a single process, which may open the database more than once.
    const replicas = databaseId === 'SQLITE_3' ? 1 : 3;
    const open = () => openDatabase({ database, migrations });
    const opened = await Promise.all(Array.from({ length: replicas }, open));
    for (const knex of [...opened, await open()]) {
      expect(await knex('things').select()).toEqual([]);
    }
  },
);
