export type { Database } from './Database.ts';
export { DatabaseConfig } from './DatabaseConfig.ts';
export { DatabaseUnavailableError } from './DatabaseUnavailableError.ts';
export { migrate } from './migrate.ts';
export { openDatabase, wrapKnex } from './openDatabase.ts';
