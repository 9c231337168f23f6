import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Bench } from '../../__testUtils__/Bench.ts';
import { gitIn } from '../../__testUtils__/gitIn.ts';
import type { BuildClient } from '../../__testUtils__/BuildClient.ts';
import { FakeCluster } from '../../__testUtils__/FakeCluster.ts';
import { isolationModes } from '../../__testUtils__/isolationModes.ts';
import { serveGit } from '../../__testUtils__/serveGit.ts';
import type { Job } from '../../jobs/Job.ts';
import { Interrupter } from '../commands.ts';
import { PlaceLostError } from '../Executor.ts';
import { openCluster } from './openCluster.ts';

const IMAGE = 'registry.example/tools:1';
const SETTINGS = {
  namespace: 'builds',
  memoryMiB: 256,
  cpus: 1,
  startSeconds: 60,
};

// The fake runs commands with bubblewrap.
describe.runIf(isolationModes.includes('required'))(
  'builds in a cluster',
  () => {
    let bench: Bench;
    let cluster: FakeCluster;

    beforeEach(async () => {
      bench = await Bench.open('unsafe-none');
      cluster = await FakeCluster.create();
    });

    afterEach(async () => {
      await bench.close();
      const { refused } = cluster;
      await cluster.end();
      if (refused.length > 0) {
        throw new Error(`The cluster was asked wrongly: ${refused.join(', ')}`);
      }
    });

    async function connection() {
      return {
        connection: 'kubeconfig' as const,
        kubeconfig: { file: await cluster.kubeconfig() },
      };
    }

    async function serve(
      jobs: readonly Job[],
      config: Record<string, unknown> = {},
    ): Promise<BuildClient> {
      return bench.start(jobs, {
        kubernetes: { ...SETTINGS, ...(await connection()) },
        git: { protocols: ['http'] },
        ...config,
      });
    }

    /** Evicts the first step of an attempt once it runs. */
    async function evict(attempt: number): Promise<void> {
      const pod = await found(() =>
        cluster.names('pods').find(name => name.includes(`-a${attempt}-1-`)),
      );
      await found(
        () =>
          cluster.store.get('pods', 'builds', pod)?.status?.phase === 'Running',
      );
      cluster.evict(pod);
    }

    function inCluster(job: Partial<Job> & Pick<Job, 'steps'>): Job {
      return { name: 'job', container: { image: IMAGE }, ...job };
    }

    it('check out, use a service, a cache and a secret, and keep reports and artifacts', async () => {
      const host = await serveRepository(bench.scratch);
      const client = await serve(
        [
          inCluster({
            source: { repository: `${host.url}/shop`, branch: 'main' },
            cache: [{ name: 'store', paths: ['store'] }],
            services: [
              {
                name: 'database',
                run: 'echo serving; sleep 60',
                ready: 'true',
              },
            ],
            steps: [
              {
                name: 'Test',
                run: 'cat file; echo "token $TOKEN"; mkdir -p store out; echo x > store/x; echo "<testsuite><testcase name=\'a\'/></testsuite>" > out/r.xml; ln -s /etc/passwd out/link.txt; echo art > out/a.txt',
                secrets: { TOKEN: 'deploy' },
              },
            ],
            junit: ['out/*.xml'],
            artifacts: ['out/*.txt'],
          }),
        ],
        {
          stepSecrets: { deploy: { value: 's3cret-of-deploy', jobs: ['job'] } },
        },
      );
      const build = await client.build('job');
      const log = await client.log('/job/job/1/');
      host.stop();
      expect({ ...build, log }).toMatchObject({ result: 'SUCCESS' });
      expect(log).toContain('from the repository');
      expect(log).toContain('token ****');
      expect(log).toContain('==> Cache store: saved');
      expect(build.artifacts).toEqual([
        expect.objectContaining({ relativePath: 'out/a.txt' }),
      ]);
      const { text } = await client.get('/job/job/1/artifact/out/a.txt');
      expect(text).toBe('art\n');
      // Service names resolve to their pods.
      const jobs = cluster.seen.filter(
        ({ method, path: at }) => method === 'POST' && at.endsWith('/jobs'),
      );
      expect(JSON.stringify(jobs.at(-1)!.body)).toContain(
        '"hostnames":["database"]',
      );
      expect(
        cluster.store
          .list('secrets')
          .concat(
            cluster.store.list('jobs'),
            cluster.store.list('persistentvolumeclaims'),
          ),
      ).toEqual([]);
      const deletions = cluster.seen.filter(
        ({ method }) => method === 'DELETE',
      );
      expect(deletions.length).toBeGreaterThan(2);
      deletions.forEach(({ body }) =>
        expect(body?.propagationPolicy).toBe('Foreground'),
      );
    });

    it('lose nothing of a log, and repeat nothing, when its connection breaks', async () => {
      cluster.cutLogsAfter = 3_000;
      const client = await serve([
        inCluster({ steps: [{ name: 'Count', run: 'seq 500; printf end' }] }),
      ]);
      await client.build('job');
      const log = await client.log('/job/job/1/');
      const [numbers] = /1\n2\n[\s\S]*end/.exec(log) ?? [];
      expect(numbers).toBe(
        `${Array.from({ length: 500 }, (_, index) => index + 1).join('\n')}\nend`,
      );
    });

    it('begin again when their pod is evicted, as often as the job allows', async () => {
      const client = await serve([
        inCluster({
          retryLostAgent: 1,
          steps: [{ name: 'Wait', run: 'echo "attempt begins"; sleep 60' }],
        }),
      ]);
      const build = await client.started(await client.trigger('job'));
      await evict(1);
      await client.logHas(build, 'The build begins again');
      await evict(2);
      const ended = await client.ended(build);
      expect(ended.result).toBe('ABORTED');
      expect(await client.logHas(build, 'Finished: ABORTED')).toContain(
        'The build lost its place: its pod was taken away (Evicted): The node was low on memory\nFinished: ABORTED',
      );
      await found(() => cluster.names('jobs').length === 0);
    });

    it('end at a stop, with everything of theirs', async () => {
      const client = await serve([
        inCluster({ steps: [{ name: 'Wait', run: 'echo ready; sleep 300' }] }),
      ]);
      const build = await client.started(await client.trigger('job'));
      await client.logHas(build, 'ready');
      await client.post(`${build}stop`);
      expect(await client.ended(build)).toMatchObject({ result: 'ABORTED' });
      await found(
        () => cluster.names('jobs').length + cluster.names('pods').length === 0,
      );
    });

    it('report why a pod does not start, and tolerate a short outage of the cluster', async () => {
      let drops = 3;
      cluster.fault = ({ method }) => {
        drops -= method === 'GET' ? 1 : 0;
        return method === 'GET' && drops >= 0 ? 'drop' : undefined;
      };
      const client = await serve([
        {
          ...inCluster({ steps: [{ name: 'Run', run: 'true' }] }),
          name: 'fine',
        },
        {
          ...inCluster({ steps: [{ name: 'Run', run: 'true' }] }),
          name: 'missing',
          container: { image: 'registry.example/none:1' },
        },
      ]);
      expect(await client.build('fine')).toMatchObject({ result: 'SUCCESS' });
      const build = await client.build('missing');
      expect(build.result).toBe('FAILURE');
      expect(await client.log('/job/missing/1/')).toContain(
        'its pod cannot start: InvalidImageName: no such image registry.example/none:1',
      );
    });

    async function openArguments() {
      const settings = {
        ...SETTINGS,
        ...(await connection()),
        instance: 'test',
        uid: 65_532,
        storage: { sizeGiB: 1, accessMode: 'ReadWriteOnce' as const },
      };
      const options = {
        directory: path.join(bench.scratch, 'copies'),
        killAfterMs: 100,
        maxBytes: 1_000,
      };
      return [settings, options] as const;
    }

    const request = {
      id: 7,
      worker: 'dead.1',
      attempt: 1,
      environment: {},
      image: IMAGE,
    };

    it('run later commands if the first was interrupted while its pod started', async () => {
      const executor = openCluster(...(await openArguments()));
      const place = await executor.open(request);
      const run = (signal: AbortSignal) =>
        place.run({
          argv: ['/bin/sh', '-c', 'true'],
          environment: {},
          isInternal: true,
          signal,
          output: async () => {},
        });
      cluster.fault = ({ method }) => (method === 'GET' ? 'drop' : undefined);
      const interrupter = new Interrupter();
      const first = run(interrupter.signal);
      interrupter.interrupt({ kind: 'stopped', by: 'ada' });
      await expect(first).rejects.toEqual({ kind: 'stopped', by: 'ada' });
      cluster.fault = () => undefined;
      expect(await run(new AbortController().signal)).toBeNull();
      await place.close();
    });

    it('are removed when their server is gone, and never run twice', async () => {
      const [settings, options] = await openArguments();
      const dead = openCluster(settings, options);
      const lost = await dead.open(request);
      const running = lost.run({
        argv: ['/bin/sh', '-c', 'sleep 300'],
        environment: {},
        signal: new AbortController().signal,
        output: async () => {},
      });
      running.catch(() => undefined);
      await found(() => cluster.names('pods').length === 2);
      const next = openCluster(settings, options);
      // The next attempt ends the previous one.
      const place = await next.open({
        ...request,
        worker: 'live.1',
        attempt: 2,
      });
      await expect(running).rejects.toThrow(PlaceLostError);
      expect(cluster.names('jobs')).toEqual(['test-b7-a2-files']);
      await next.sweep(async worker => worker === 'dead.1');
      expect(cluster.names('jobs')).toHaveLength(1);
      await openCluster(settings, options).sweep(async () => true);
      expect(cluster.names('jobs')).toEqual([]);
      await place.close();
    });
  },
);

function found<T>(look: () => T | undefined | false) {
  return vi.waitUntil(look, { timeout: 20_000, interval: 20 });
}

async function serveRepository(scratch: string) {
  const work = path.join(scratch, 'shop-work');
  await mkdir(work, { recursive: true });
  await writeFile(path.join(work, 'file'), 'from the repository\n');
  const git = (...args: string[]) => gitIn(work, ...args);
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'first');
  git('clone', '-q', '--bare', '.', path.join(scratch, 'shop'));
  expect(await readdir(scratch)).toContain('shop');
  return serveGit(scratch);
}
