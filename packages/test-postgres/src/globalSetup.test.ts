import { setup } from './globalSetup.ts';

const ADDRESS = 'BACKSTAGE_TEST_DATABASE_POSTGRES18_CONNECTION_STRING';

afterEach(() => {
  vi.unstubAllEnvs();
});

it('lets each run of a watched project migrate its own databases', async () => {
  vi.stubEnv(ADDRESS, 'postgresql://postgres@127.0.0.1:1/postgres');
  vi.stubEnv('SLIPWAY_TEST_RUN', undefined);
  const listeners = process.listeners('beforeExit');
  const reruns: (() => unknown)[] = [];
  await setup({ onTestsRerun: rerun => reruns.push(() => rerun([])) });
  for (const listener of process.listeners('beforeExit')) {
    if (!listeners.includes(listener)) {
      process.off('beforeExit', listener);
    }
  }

  const first = process.env.SLIPWAY_TEST_RUN;
  expect(first).toMatch(/./);
  await Promise.all(reruns.map(rerun => rerun()));
  expect(process.env.SLIPWAY_TEST_RUN).not.toBe(first);
});
