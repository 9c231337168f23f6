import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import createKnex, { type Knex } from 'knex';
import type { BenchPostgres } from '../BenchPostgres.ts';

/** The `database` section of a service's configuration. */
export type DatabaseSection =
  | { client: 'better-sqlite3'; connection: { filename: string } }
  | { client: 'pg'; connection: string };

/** A database for the service, and a separate connection to it. */
export interface BenchDatabase {
  /** Name in the report. */
  name: 'SQLite' | 'PostgreSQL';
  section: DatabaseSection;
  /** A connection other than the service's own. */
  knex: Knex;
}

/** Creates an empty SQLite database. @param directory - for its files; emptied first. */
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

/** Creates an empty PostgreSQL database. @param postgres - server without a database of this name. */
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
  // A single connection, so that session settings apply to all statements.
  const knex = createKnex({ ...section, pool: { min: 0, max: 1 } });
  return { name: 'PostgreSQL', section, knex };
}
