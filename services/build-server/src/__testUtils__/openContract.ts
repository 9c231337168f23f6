import {
  FakePortal,
  openTestDatabase,
  type testDatabaseClients,
} from '@slipway/service-kit/testing';
import type { Job } from '../jobs/Job.ts';
import { BuildClient } from './BuildClient.ts';
import {
  basic,
  HELLO,
  HELLO_PARAMETERS,
  READ_TOKEN,
  startBuildServer,
  type TestServer,
} from './startBuildServer.ts';
import { buildServer } from '../service.ts';

const SLOW: Job = {
  name: 'slow',
  buildToken: 'build-token',
  steps: [{ name: 'Wait', run: 'echo waiting; sleep 30' }],
};
const OWNED: Job = { ...HELLO, name: 'owned', owner: 'group:default/payments' };
const CHOOSY: Job = {
  name: 'choosy',
  parameters: [
    { name: 'SIZE', type: 'choice', choices: ['small', 'large'] },
    { name: 'LOUD', type: 'boolean', default: 'false' },
  ],
  steps: [{ name: 'Say', run: 'echo "$SIZE $LOUD"' }],
};

/** A server as its callers see it, with a client for each kind of caller. */
export interface Contract {
  server: TestServer;
  dev: BuildClient;
  viewer: BuildClient;
  nobody: BuildClient;
  /** Returns the client of a portal user: `ada` is an admin, `grace` owns the job `owned`. */
  as(name: string): Promise<BuildClient>;
  close(): Promise<void>;
}

/** Starts a server with its own database, and a fake portal. */
export async function openContract(
  databaseClient: ReturnType<typeof testDatabaseClients>[number],
): Promise<Contract> {
  const portal = await FakePortal.start({
    groups: {
      'user:default/ada': ['group:default/platform-admins'],
      'user:default/grace': ['group:default/payments'],
    },
  });
  const { database, dispose } = await openTestDatabase(
    databaseClient,
    buildServer,
  );
  const server = await startBuildServer({
    database,
    jobs: [HELLO, HELLO_PARAMETERS, SLOW, OWNED, CHOOSY],
    config: {
      portal: { baseUrl: portal.baseUrl },
      auth: { triggerGroups: ['group:default/platform-admins'] },
    },
  });
  return {
    server,
    dev: new BuildClient(server.url),
    viewer: new BuildClient(server.url, basic('viewer', READ_TOKEN)),
    nobody: new BuildClient(server.url, null),
    async as(name) {
      const token = await portal.token(`user:default/${name}`);
      return new BuildClient(server.url, `Bearer ${token}`);
    },
    async close() {
      await server.stop();
      await dispose();
      await portal.stop();
    },
  };
}
