import createKnex, { type Knex } from 'knex';
import type { BenchPostgres } from '../../databases/BenchPostgres';
import { dropFileCache } from './dropFileCache';
import type { LakeDatabase } from './LakeDatabase';

const CONNECTIONS = 10;

function connect(postgres: BenchPostgres, name: string): Knex {
  return createKnex({
    client: 'pg',
    connection: postgres.connectionString(name),
    pool: { min: 0, max: CONNECTIONS },
  });
}

/** Opens a database of the server, and makes it where it is not there yet. */
export async function openPostgres(
  postgres: BenchPostgres,
  name: string,
): Promise<LakeDatabase> {
  const admin = connect(postgres, 'postgres');
  const known = await admin('pg_database').where({ datname: name }).first();
  if (!known) {
    await admin.raw('CREATE DATABASE ??', [name]);
  }
  await admin.destroy();
  const database: LakeDatabase = {
    name: 'PostgreSQL',
    knex: connect(postgres, name),
    async dropCaches() {
      await database.knex.destroy();
      await postgres.restart(() => dropFileCache(postgres.directory));
      database.knex = connect(postgres, name);
    },
    async beginBulk() {},
    async endBulk() {
      await database.knex.raw('VACUUM ANALYZE');
      await database.knex.raw('CHECKPOINT');
    },
    close: () => database.knex.destroy(),
  };
  return database;
}
