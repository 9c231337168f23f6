import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningServer, startServer } from '../../startServer.ts';

const TOKEN = 'clients-api-token-Qw8rTz5yLm3nVb6xKc2d';
const WEBHOOK_TOKEN = 'clients-webhook-token-Hj4kPs9dFg7t';

const JOBS = [
  { name: 'hello', steps: [{ name: 'Say', run: 'echo Hello' }] },
  {
    name: 'parameters',
    parameters: [
      { name: 'BRANCH', required: true },
      { name: 'ENVIRONMENT', default: 'dev' },
    ],
    steps: [{ name: 'Say', run: 'echo "$BRANCH to $ENVIRONMENT"' }],
  },
  {
    name: 'tested',
    junit: ['out/*.xml'],
    artifacts: ['out/**'],
    webhook: { token: 'hook', unsigned: 'allow' },
    steps: [
      {
        name: 'Test',
        run: `mkdir out; echo x > out/x.txt; printf '<testsuite><testcase name="a" classname="b"/></testsuite>' > out/a.xml`,
      },
    ],
  },
  {
    name: 'slow',
    concurrent: true,
    steps: [{ name: 'Wait', run: 'echo started; sleep 120' }],
  },
];

const SESSION = {
  session: 'abcdef0123456789',
  protocol: 1,
  capacity: 1,
  version: '0.1.0',
  executor: { kind: 'none', limits: null, gaps: [] },
};

/** A build server with jobs, which clients call as an admin. */
export class JobServer {
  readonly user = 'clients';
  readonly token = TOKEN;
  readonly webhookToken = WEBHOOK_TOKEN;
  /** Name of a connected agent that runs no builds. */
  readonly agent = 'agent-1';
  readonly url: string;
  readonly stop: () => Promise<void>;
  #count = 0;

  private constructor(server: RunningServer) {
    this.url = server.url;
    this.stop = () => server.stop();
  }

  static async start(directory: string): Promise<JobServer> {
    const jobs = path.join(directory, 'jobs');
    mkdirSync(jobs, { recursive: true });
    for (const job of JOBS) {
      writeFileSync(path.join(jobs, `${job.name}.yaml`), JSON.stringify(job));
    }
    const empty = path.join(directory, 'empty.yaml');
    writeFileSync(empty, '{}\n');
    const started = new JobServer(
      await startServer({
        command: ['node', 'src/main.ts', '--config', empty],
        cwd: 'services/build-server',
        ready: '/ready',
        env: port => ({
          APP_CONFIG_buildServer: JSON.stringify({
            listen: { host: '127.0.0.1', port },
            portal: { baseUrl: 'http://127.0.0.1:1' },
            database: {
              client: 'better-sqlite3',
              connection: { filename: path.join(directory, 'db.sqlite') },
            },
            jobsDirectory: jobs,
            dataDirectory: path.join(directory, 'data'),
            executors: 4,
            killAfterSeconds: 0.3,
            isolation: { mode: 'unsafe-none' },
            secrets: { hook: WEBHOOK_TOKEN },
            auth: {
              users: [
                {
                  name: 'clients',
                  key: TOKEN,
                  scopes: ['read', 'trigger', 'admin'],
                },
              ],
              triggerGroups: [],
            },
          }),
        }),
      }),
    );
    await started.#enrol();
    await started.finished('tested');
    return started;
  }

  /** The address with credentials, as most clients expect it. */
  get urlWithToken(): string {
    return this.url.replace('://', `://${this.user}:${this.token}@`);
  }

  /**
   * Creates a job with a queue item that waits for ten minutes.
   *
   * @returns the item's id.
   */
  async waiting(): Promise<number> {
    this.#count += 1;
    return this.#trigger(
      `/job/parameters/buildWithParameters?delay=600&BRANCH=b${this.#count}`,
    );
  }

  /** Starts a build of `slow`. @returns its number, once it runs. */
  async running(): Promise<number> {
    return this.#until(
      await this.#trigger(`/job/slow/build`),
      ({ executable }) => executable?.number,
    );
  }

  /** Runs a build. @returns its number, once it has ended. */
  async finished(job = 'hello'): Promise<number> {
    const number = await this.#until(
      await this.#trigger(`/job/${job}/build`),
      ({ executable }) => executable?.number,
    );
    await this.ended(job, number);
    return number;
  }

  async ended(job: string, number: number): Promise<void> {
    for (;;) {
      const { building } = await this.json<{ building: boolean }>(
        `/job/${job}/${number}/api/json`,
      );
      if (!building) {
        return;
      }
      await sleep(20);
    }
  }

  async json<T>(pathname: string): Promise<T> {
    const response = await this.fetch(pathname);
    return (await response.json()) as T;
  }

  async fetch(pathname: string, init: RequestInit = {}): Promise<Response> {
    const basic = Buffer.from(`${this.user}:${this.token}`).toString('base64');
    return fetch(`${this.url}${pathname}`, {
      redirect: 'manual',
      ...init,
      headers: { authorization: `Basic ${basic}`, ...init.headers },
    });
  }

  async #enrol(): Promise<void> {
    const send = (pathname: string, body: object) =>
      this.fetch(pathname, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const invited = await send('/agents/enrolments', { labels: ['linux'] });
    const { token } = (await invited.json()) as { token: string };
    const enrolled = await send('/agent/enrolment', {
      token,
      name: this.agent,
      capacity: 1,
    });
    const agent = (await enrolled.json()) as { token: string };
    const begun = await fetch(`${this.url}/agent/session`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${agent.token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(SESSION),
    });
    if (!begun.ok) {
      throw new Error(`The agent is not connected: ${await begun.text()}`);
    }
  }

  async #trigger(pathname: string): Promise<number> {
    const response = await this.fetch(pathname, { method: 'POST' });
    const location = response.headers.get('location') ?? '';
    return Number(location.split('/').at(-2));
  }

  async #until(
    item: number,
    find: (found: {
      executable?: { number: number } | null;
    }) => number | undefined,
  ): Promise<number> {
    for (;;) {
      const found = find(await this.json(`/queue/item/${item}/api/json`));
      if (found !== undefined) {
        return found;
      }
      await sleep(20);
    }
  }
}
