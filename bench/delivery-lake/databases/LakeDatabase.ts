import type { Knex } from 'knex';

/** A database that holds a lake of one size, or none yet. */
export interface LakeDatabase {
  /** The name that the report prints. */
  name: 'SQLite' | 'PostgreSQL';
  knex: Knex;
  /** Reopens it with nothing of it in any memory: neither the database's nor the system's. */
  dropCaches(): Promise<void>;
  /** Lets it take in very much at once, without care for what a crash would leave. */
  beginBulk(): Promise<void>;
  /** Ends that, and tells the planner what there is. */
  endBulk(): Promise<void>;
  close(): Promise<void>;
}
