import { mockServices } from '@backstage/backend-test-utils';
import { DatabaseJobStore } from '../storage/DatabaseJobStore';
import { JobService, JobWork } from './JobService';
import { lakeDatabases } from '../storage/__testUtils__/lakeDatabases';

const databases = lakeDatabases();

describe.each(databases.eachSupportedId())('jobs on %s', databaseId => {
  async function create(work: JobWork, clock = { now: 1_000_000 }) {
    const knex = await databases.init(databaseId);
    const options = {
      store: new DatabaseJobStore(knex),
      work: { rebuild: work, replay: work, deletion: () => work },
      logger: mockServices.rootLogger(),
      now: () => clock.now,
    };
    return { service: new JobService(options), options, clock };
  }

  it('reports the progress of a job, and its end', async () => {
    let finish = () => {};
    const { service } = await create(async onProgress => {
      onProgress(3, 10);
      await new Promise<void>(resolve => {
        finish = resolve;
      });
      onProgress(10, 10);
    });
    const { id } = await service.start('rebuild');

    await vi.waitFor(async () =>
      expect(await service.get(id)).toMatchObject({
        kind: 'rebuild',
        status: 'running',
        done: 3,
        total: 10,
      }),
    );
    await expect(service.start('replay')).rejects.toThrow(
      `A rebuild is running: ${id}`,
    );
    finish();
    await vi.waitFor(async () =>
      expect(await service.get(id)).toMatchObject({
        status: 'done',
        done: 10,
      }),
    );
  });

  it('starts one job of those that replicas request at the same time', async () => {
    const { service, options } = await create(
      () => new Promise<void>(() => {}),
    );
    const replicas = [service, new JobService(options), service];
    const answers = await Promise.allSettled(
      replicas.map(replica => replica.start('rebuild')),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
    ]);
  });

  it('reports that a job failed, without internal details', async () => {
    const { service } = await create(async () => {
      throw new Error('select secret from somewhere');
    });
    const { id } = await service.start('replay');
    await vi.waitFor(async () =>
      expect(await service.get(id)).toMatchObject({
        status: 'failed',
        error: "The replay failed; the portal's log says why",
      }),
    );
  });

  it('treats a job as lost if its process died, and allows another to start', async () => {
    const never = () => new Promise<void>(() => {});
    const { service, clock } = await create(never);
    const { id } = await service.start('rebuild');
    clock.now += 61_000;

    await expect(service.get(id)).resolves.toMatchObject({
      status: 'failed',
      error: 'The portal stopped while it was running; start it again',
    });
    await expect(service.start('rebuild')).resolves.toMatchObject({
      status: 'running',
    });
  });

  it('responds 404 to unknown jobs', async () => {
    const { service } = await create(async () => {});
    for (const id of ['job-none', 'job-\0']) {
      await expect(service.get(id)).rejects.toThrow(`Job ${id} not found`);
    }
  });
});
