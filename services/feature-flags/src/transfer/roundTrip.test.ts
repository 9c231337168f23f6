import { openTestDatabase } from '@slipway/service-kit/testing';
import {
  createMany,
  manyFlags,
  sdkAnswers,
  segments,
} from '../__testUtils__/sdkAnswers.ts';
import {
  callsTo,
  startFeatureFlags,
} from '../__testUtils__/startFeatureFlags.ts';
import { featureFlags } from '../service.ts';

const names = manyFlags().map(({ name }) => name);

/** Starts the service on its own database. */
async function startOne() {
  const { database, dispose } = await openTestDatabase('sqlite', featureFlags);
  const service = await startFeatureFlags({
    database,
    config: { rateLimit: { enabled: false } },
  });
  const url = await service.start();
  return {
    admin: callsTo(service).admin,
    answers: () => sdkAnswers(url, names),
    stop: async () => {
      await service.stop();
      await dispose();
    },
  };
}

type Server = Awaited<ReturnType<typeof startOne>>;

const exportState = async ({ admin }: Server) =>
  (await admin('GET', '/state/export')).body;

const exportEnvironment = async ({ admin }: Server) => {
  const asked = { environment: 'development', project: 'default' };
  return (await admin('POST', '/features-batch/export', asked)).body;
};

describe('an import of 200 flags from another server', () => {
  let from: Server;
  let to: Server;
  let before: Record<string, string>;

  beforeAll(async () => {
    from = await startOne();
    await createMany(from.admin);
    before = await from.answers();
  });

  afterAll(() => from.stop());

  beforeEach(async () => {
    to = await startOne();
  });

  afterEach(() => to.stop());

  it('are on, off and give variants across 1,000 contexts', () => {
    const all = Object.values(before).join('');
    const share = (letters: RegExp) =>
      (all.match(letters)?.length ?? 0) / all.length;
    expect(share(/-/g)).toBeGreaterThan(0.1);
    expect(share(/\+/g)).toBeGreaterThan(0.1);
    expect(share(/r/g)).toBeGreaterThan(0.01);
    expect(share(/b/g)).toBeGreaterThan(0.01);
  });

  it("evaluate the same in SDKs after an import of the server's state", async () => {
    const data = await exportState(from);
    const { status } = await to.admin('POST', '/state/import', data);
    expect(status).toBe(200);
    expect(await to.answers()).toEqual(before);
    expect(await exportState(to)).toEqual(data);
  });

  it('evaluate the same in SDKs after an export of one environment, if the segments exist', async () => {
    for (const segment of segments) {
      await to.admin('POST', '/segments', segment);
    }
    const data = await exportEnvironment(from);
    const { status } = await to.admin('POST', '/features-batch/import', {
      data,
    });
    expect(status).toBe(200);
    expect(await to.answers()).toEqual(before);
    expect(await exportEnvironment(to)).toEqual(data);
  });
});
