import Database from 'better-sqlite3';
import type { Platform } from './Platform';

/**
 * Records that the demo organisation is being loaded: really loading it would keep all parts busy
 * during the tests of the others.
 */
export function pretendToLoadDemo(platform: Platform): void {
  const database = new Database(platform.databaseOf('demo'), {
    timeout: 60_000,
  });
  try {
    database
      .prepare(
        `INSERT INTO demo_state (id, phase, started_by, started_at, updated_at, steps)
         VALUES (1, 'loading', 'user:default/ada', :now, :later, '[]')`,
      )
      .run({
        now: Date.now(),
        // Otherwise the job would count as lost.
        later: Date.now() + 24 * 3_600_000,
      });
  } finally {
    database.close();
  }
}
