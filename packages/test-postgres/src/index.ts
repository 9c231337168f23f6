export { PostgresServer } from './PostgresServer';
