/** Names of files in the directory of a backup. */
export const BACKUP_FILES = {
  manifest: 'manifest.json',
  journal: 'events.sqlite',
  columns: 'columns',
  database: 'database.sqlite',
} as const;
