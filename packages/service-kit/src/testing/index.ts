export {
  createTestDatabase,
  openTestDatabase,
  testDatabaseClients,
} from './databases.ts';
export { fakeLogger } from './fakeLogger.ts';
export { FakePortal } from './FakePortal.ts';
export { migrateUpTo } from './migrateUpTo.ts';
export {
  killDuring,
  type ServiceProcess,
  startProcess,
} from './startProcess.ts';
export { startTestService } from './startTestService.ts';
