import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readCount } from '../arguments.ts';
import { type Row, runBench } from '../runBench.ts';
import { installBuildbot } from './buildbot/installBuildbot.ts';
import { startBuildbot } from './buildbot/startBuildbot.ts';
import { WEBHOOK_JOB } from './deliveries.ts';
import { CLOCK_JOB, firstSteps, starterOf } from './measures/firstSteps.ts';
import { hostileRun } from './measures/hostileRun.ts';
import { LOG_JOB, largeLog } from './measures/largeLog.ts';
import {
  PARAMETER_JOB,
  triggerBursts,
  triggerShare,
} from './measures/triggers.ts';
import { webhookFlood } from './measures/webhooks.ts';
import { startAgent, startBare, startService } from './servers.ts';

// Measures how soon builds start, how fast triggers are accepted, and the memory for a large log:
// `yarn bench:build-server`; `--buildbot` compares with Buildbot. Exits with 1 if a target is
// missed, for use in pipelines.

const data = path.resolve(import.meta.dirname, '../../.data/bench');
const directory = path.join(data, 'build-server');
const jobs = {
  clock: CLOCK_JOB,
  build: PARAMETER_JOB,
  log: LOG_JOB,
  hooked: WEBHOOK_JOB,
};

/** Keeps track of everything that was opened, and closes it in reverse order. */
class Opened {
  readonly #closers: (() => Promise<void>)[] = [];

  async add<T extends { stop(): Promise<void> }>(
    thing: Promise<T>,
  ): Promise<T> {
    const open = await thing;
    this.#closers.unshift(() => open.stop());
    return open;
  }

  /** Starts a build server. */
  server(name: string, executors: number) {
    const own = path.join(directory, name);
    return this.add(startService({ directory: own, executors, jobs }));
  }

  async close(): Promise<void> {
    for (const close of this.#closers) {
      await close();
    }
  }
}

/** Command-line options. */
interface Options {
  seconds: number;
  starts: number;
  buildbot: boolean;
}

const measures: Record<
  string,
  (opened: Opened, options: Options) => Promise<Row[]>
> = {
  async starts(opened, options) {
    const server = await opened.server('local', 2);
    const remote = await opened.server('remote', 0);
    const agent = await opened.add(
      startAgent(remote, path.join(directory, 'agent')),
    );
    const local = await opened.add(starterOf('isolated by bubblewrap', server));
    const byAgent = await opened.add(
      starterOf('by a remote agent', remote, agent),
    );
    const peer = options.buildbot
      ? await opened.add(
          startBuildbot(
            await installBuildbot(path.join(data, 'peers')),
            path.join(directory, 'buildbot'),
          ),
        )
      : undefined;
    return firstSteps(
      [
        { starter: local, median: 30, p95: 80 },
        { starter: byAgent, median: 60, p95: 150 },
      ],
      { peer, times: options.starts },
    );
  },
  async burst(opened) {
    const stores = await opened.server('burst-alone', 0);
    const alone = await triggerBursts(stores, { isBuilding: false });
    // Last, because this server continues to build until it is stopped.
    const builds = await opened.server('burst', 2);
    return [await triggerBursts(builds, { isBuilding: true }), alone];
  },
  async webhooks(opened) {
    const server = await opened.server('webhooks', 2);
    const database = path.join(directory, 'webhooks', 'db.sqlite');
    return [await webhookFlood(server, database)];
  },
  async hostile() {
    return [await hostileRun()];
  },
  async log(opened) {
    return [await largeLog(await opened.server('log', 2))];
  },
  async share(opened, { seconds }) {
    const service = await opened.server('share', 0);
    const bare = await opened.add(
      startBare(path.join(directory, 'bare.sqlite')),
    );
    return [await triggerShare({ service, bare, seconds })];
  },
};

async function run(): Promise<Row[]> {
  const names = Object.keys(measures);
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '9' },
      starts: { type: 'string', default: '40' },
      only: { type: 'string', multiple: true, default: names },
      buildbot: { type: 'boolean', default: false },
    },
  });
  const options = {
    seconds: readCount('seconds', values.seconds),
    starts: readCount('starts', values.starts),
    buildbot: values.buildbot,
  };
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const rows: Row[] = [];
  for (const name of values.only) {
    if (!names.includes(name)) {
      throw new Error(`--only ${name} is none of ${names.join(', ')}`);
    }
    const opened = new Opened();
    try {
      const measured = await measures[name](opened, options);
      measured.forEach(({ what, measured: result }) =>
        console.log(`${what}: ${result}`),
      );
      rows.push(...measured);
    } finally {
      await opened.close();
    }
  }
  rmSync(directory, { recursive: true, force: true });
  return rows;
}

runBench(run);
