import type { Client } from 'pg';

/** The content of a database after its migrations. */
export interface Migrated {
  /** Digest of its tables, indexes, constraints, triggers and functions. */
  schema: string;
  /** Statements that restore its rows and sequences. */
  rewind: string;
}

const SCHEMA = `
  WITH relations AS (
    SELECT oid, relname FROM pg_class WHERE relnamespace = 'public'::regnamespace
  ), lines AS (
    SELECT concat_ws(' ', relname, oid) AS line FROM relations
    UNION ALL
    SELECT concat_ws(' ', attrelid, attnum, attname, atttypid, atttypmod, attnotnull)
    FROM pg_attribute WHERE attrelid IN (SELECT oid FROM relations) AND attnum > 0
    UNION ALL
    SELECT concat_ws(' ', adrelid, adnum, pg_get_expr(adbin, adrelid))
    FROM pg_attrdef WHERE adrelid IN (SELECT oid FROM relations)
    UNION ALL
    SELECT concat_ws(' ', 'constraint', oid, conname)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL
    SELECT concat_ws(' ', 'trigger', oid, tgname, tgenabled)
    FROM pg_trigger WHERE tgrelid IN (SELECT oid FROM relations)
    UNION ALL
    SELECT concat_ws(' ', 'function', oid, md5(prosrc))
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  )
  SELECT md5(string_agg(line, chr(10) ORDER BY line)) AS schema FROM lines`;

/** Returns the digest of {@link Migrated.schema}. */
export async function readSchema(client: Client): Promise<string> {
  const { rows } = await client.query(SCHEMA);
  return rows[0].schema;
}

/**
 * Tables larger than this are truncated rather than emptied with DELETE, whose dead rows would slow
 * down later tests.
 */
const TRUNCATE_BYTES = 256 * 1024;

/** Records the migrated state, and copies the rows that migrations have inserted. */
export async function recordMigrated(client: Client): Promise<Migrated> {
  const tables = await names(
    client,
    `SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  const restored: string[] = [];
  await client.query('CREATE SCHEMA IF NOT EXISTS migrated');
  for (const table of tables) {
    const { rows } = await client.query(
      `SELECT EXISTS (SELECT 1 FROM public.${table}) AS filled`,
    );
    if (rows[0].filled) {
      await client.query(`DROP TABLE IF EXISTS migrated.${table};
        CREATE TABLE migrated.${table} AS TABLE public.${table}`);
      restored.push(
        `INSERT INTO public.${table} OVERRIDING SYSTEM VALUE TABLE migrated.${table}`,
      );
    }
  }
  const sequences = await names(
    client,
    `SELECT format('SELECT setval(%L, %s, %L)', format('%I.%I', schemaname, sequencename),
       coalesce(last_value, start_value), last_value IS NOT NULL) AS name
     FROM pg_sequences WHERE schemaname = 'public'`,
  );
  return {
    schema: await readSchema(client),
    rewind: [
      'BEGIN',
      // Disables foreign keys and triggers.
      'SET LOCAL session_replication_role = replica',
      // Skips tables of zero bytes, which have no rows.
      `DO $$ DECLARE large text; name text; BEGIN
         SELECT string_agg(format('public.%I', relname), ', ') INTO large FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
           AND pg_relation_size(oid) > ${TRUNCATE_BYTES};
         IF large IS NOT NULL THEN EXECUTE 'TRUNCATE ' || large || ' CASCADE'; END IF;
         FOR name IN SELECT format('public.%I', relname) FROM pg_class
           WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
             AND (relkind = 'p' OR pg_relation_size(oid) > 0)
         LOOP EXECUTE 'DELETE FROM ' || name; END LOOP;
       END $$`,
      ...restored,
      ...sequences,
      'COMMIT',
    ].join(';\n'),
  };
}

async function names(client: Client, query: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(query);
  return rows.map(({ name }) => name);
}
