import { DatabaseSync } from 'node:sqlite';

/**
 * Adds stopped workspaces of an owner to the plugin's database: copies of one
 * that the platform created, so that every column is as long as in reality.
 */
export function addWorkspaceRows(options: {
  databaseFile: string;
  templateId: string;
  owner: string;
  count: number;
}): void {
  const database = new DatabaseSync(options.databaseFile, { timeout: 5_000 });
  try {
    const columns = database
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all('workspaces')
      .map(({ name }) => String(name));
    const distinct: Record<string, string> = {
      id: `printf('%s-%d', id, n)`,
      name: `printf('%s-%d', name, n)`,
      owner: '?',
      status: `'Stopped'`,
    };
    database
      .prepare(
        `WITH RECURSIVE numbers(n) AS (
           SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?
         )
         INSERT INTO workspaces (${columns.join(', ')})
         SELECT ${columns.map(column => distinct[column] ?? column).join(', ')}
         FROM workspaces, numbers WHERE id = ?`,
      )
      .run(options.count, options.owner, options.templateId);
  } finally {
    database.close();
  }
}
