export type { Database } from './Database.ts';
export { DatabaseUnavailableError } from './DatabaseUnavailableError.ts';
export { migrate } from './migrate.ts';
export { openDatabase } from './openDatabase.ts';
