export {
  createTestDatabase,
  openTestDatabase,
  testDatabaseClients,
} from './databases.ts';
export { FakePortal } from './FakePortal.ts';
export { migrateUpTo } from './migrateUpTo.ts';
export { startTestService } from './startTestService.ts';
