import type { FlagsApi } from '../api/FlagsApi';
import { fakeAccess } from './fakeAccess';
import { fakeChanges } from './fakeChanges';
import { fakeCleanUp } from './fakeCleanUp';
import { fakeFlags } from './fakeFlags';
import { fakeLifecycle } from './fakeLifecycle';
import { fakeNotices } from './fakeNotices';
import { fakeRegisters } from './fakeRegisters';
import { fakeRelations } from './fakeRelations';
import { fakeTransfer } from './fakeTransfer';
import { fakeUsage } from './fakeUsage';
import { FakeState } from './FakeState';

/** A fake service in memory: tests change its state, pages read it. */
export type FakeFlagsApi = FakeState & FlagsApi;

/** Creates a service with two flags in two environments. */
export function createFakeFlagsApi(): FakeFlagsApi {
  const state = new FakeState();
  return Object.assign(state, {
    ...fakeAccess(state),
    ...fakeChanges(state),
    ...fakeCleanUp(state),
    ...fakeFlags(state),
    ...fakeLifecycle(state),
    ...fakeNotices(state),
    ...fakeRegisters(state),
    ...fakeRelations(state),
    ...fakeTransfer(state),
    ...fakeUsage(state),
  });
}
