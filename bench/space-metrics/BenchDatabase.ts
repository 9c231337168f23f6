import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import createKnex, { type Knex } from 'knex';
import type { BenchPostgres } from '../BenchPostgres.ts';

/** What a service's `database` section holds. */
export type DatabaseSection =
  | { client: 'better-sqlite3'; connection: { filename: string } }
  | { client: 'pg'; connection: string };

/** An empty database for the service, and a second way into it. */
export interface BenchDatabase {
  /** The name that the report prints. */
  name: 'SQLite' | 'PostgreSQL';
  section: DatabaseSection;
  /** One connection beside the service's own. */
  knex: Knex;
}

/** @param directory - emptied, for the files. */
export function createSqlite(directory: string): BenchDatabase {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const section: DatabaseSection = {
    client: 'better-sqlite3',
    connection: { filename: path.join(directory, 'db.sqlite') },
  };
  const knex = createKnex({ ...section, useNullAsDefault: true });
  return { name: 'SQLite', section, knex };
}

/** @param postgres - without a database of that name. */
export async function createPostgres(
  postgres: BenchPostgres,
  name: string,
): Promise<BenchDatabase> {
  const admin = createKnex({
    client: 'pg',
    connection: postgres.connectionString('postgres'),
  });
  await admin.raw('CREATE DATABASE ??', [name]);
  await admin.destroy();
  const section: DatabaseSection = {
    client: 'pg',
    connection: postgres.connectionString(name),
  };
  // One connection, so that what is set for the session holds.
  const knex = createKnex({ ...section, pool: { min: 0, max: 1 } });
  return { name: 'PostgreSQL', section, knex };
}
