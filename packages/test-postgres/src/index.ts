export { PostgresServer } from './PostgresServer.ts';
