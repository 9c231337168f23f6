import { mockServices, TestDatabases } from '@backstage/backend-test-utils';
import { openLakeDatabase } from './openLakeDatabase';

const databases = TestDatabases.create({ ids: ['SQLITE_3', 'POSTGRES_18'] });

it.each(databases.eachSupportedId())(
  'lets replicas start at the same time on %s',
  async databaseId => {
    const database = mockServices.database({
      knex: await databases.init(databaseId),
      migrations: { skip: false },
    });
    // SQLite has one process, which opens it once and maybe again.
    const replicas = databaseId === 'SQLITE_3' ? 1 : 3;
    const opened = await Promise.all(
      Array.from({ length: replicas }, () => openLakeDatabase(database)),
    );
    for (const knex of [...opened, await openLakeDatabase(database)]) {
      expect(await knex('deployments').select()).toEqual([]);
    }
  },
);
