import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Bench } from '../../__testUtils__/Bench.ts';
import type { BuildClient } from '../../__testUtils__/BuildClient.ts';
import { sleepers } from '../../__testUtils__/sleepers.ts';
import { serveGit } from '../../__testUtils__/serveGit.ts';
import { SECRETS } from '../../__testUtils__/startBuildServer.ts';
import type { Job } from '../../jobs/Job.ts';

/** Values that must never appear in a log or response. */
const CANARIES = {
  environment: 'canary-of-the-environment',
  secret: 'canary-of-another-job',
  file: 'canary-in-a-file-of-the-server',
};
/** Argument that identifies the processes of attacks. */
export const SLEEP = '31337.5';
const PROBE_MS = 100;

/** A repository under construction. */
export class HostileRepository {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
    mkdirSync(directory, { recursive: true });
    this.git('init', '-q', '-b', 'main');
    this.write('file', 'text\n');
  }

  write(name: string, text: string): void {
    const file = path.join(this.directory, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  git(...args: string[]): string {
    return this.run(args);
  }

  run(args: string[], input?: string | Buffer): string {
    return execFileSync(
      'git',
      [
        ...['-c', 'user.name=eve', '-c', 'user.email=eve@test'],
        ...['-c', 'maintenance.auto=false'],
        ...args,
      ],
      { cwd: this.directory, input, stdio: ['pipe', 'pipe', 'pipe'] },
    )
      .toString()
      .trim();
  }

  commit(): string {
    this.git('add', '-A');
    this.git('commit', '-q', '-m', 'hostile');
    return this.git('rev-parse', 'HEAD');
  }

  /** Points `main` to a commit of a tree that git itself would not write. */
  commitTree(
    entries: readonly { mode: string; name: string; id: string }[],
  ): void {
    const tree = Buffer.concat(
      entries.map(({ mode, name, id }) =>
        Buffer.concat([
          Buffer.from(`${mode} ${name}\0`),
          Buffer.from(id, 'hex'),
        ]),
      ),
    );
    const id = this.run(
      ['hash-object', '-t', 'tree', '-w', '--stdin', '--literally'],
      tree,
    );
    const commit = this.git('commit-tree', '-m', 'hostile', id);
    this.git('update-ref', 'refs/heads/main', commit);
  }

  blob(text: string): string {
    return this.run(['hash-object', '-w', '--stdin'], text);
  }
}

/** One isolated server with the jobs of all cases, watched while they run. */
export class HostileBench {
  readonly client: BuildClient;
  readonly #bench: Bench;
  readonly #host: { stop(): void };
  readonly #delays: number[] = [];
  #isOver = false;
  #probing: Promise<void> | undefined;

  private constructor(
    client: BuildClient,
    bench: Bench,
    host: { stop(): void },
  ) {
    this.client = client;
    this.#bench = bench;
    this.#host = host;
  }

  /** @param makeJobs - the jobs of all cases, given the address of their repositories. */
  static async open(
    makeJobs: (host: string, repositories: string) => Job[],
  ): Promise<HostileBench> {
    const bench = await Bench.open('required');
    const repositories = path.join(bench.scratch, 'git');
    mkdirSync(repositories);
    writeFileSync(path.join(bench.scratch, 'canary'), CANARIES.file);
    process.env.SERVER_CANARY = CANARIES.environment;
    const host = await serveGit(repositories);
    const client = await bench.start(makeJobs(host.url, repositories), {
      executors: 4,
      git: { protocols: ['http'] },
      killAfterSeconds: 0.3,
      secrets: SECRETS,
      logs: { maxBytes: 1_000_000 },
      artifacts: { maxBytes: 5_000_000 },
      stepSecrets: { other: { value: CANARIES.secret, jobs: ['hello'] } },
      isolation: {
        mode: 'required',
        limits: { processes: 64, fileMiB: 32, memoryMiB: 256 },
      },
    });
    const hostile = new HostileBench(client, bench, host);
    hostile.#probing = hostile.#probe();
    return hostile;
  }

  get scratch(): string {
    return this.#bench.scratch;
  }

  /** Stops the bench. @returns the response times of the server in milliseconds, sorted. */
  async close(): Promise<number[]> {
    this.#isOver = true;
    await this.#probing;
    this.#host.stop();
    delete process.env.SERVER_CANARY;
    await this.#bench.close();
    return this.#delays.sort((one, other) => one - other);
  }

  /** Finds what an attack achieved outside its sandbox; empty if nothing. */
  async findDamage(texts: readonly string[]): Promise<string[]> {
    const damage: string[] = [];
    for (const name of ['pwned', 'pwned2']) {
      if (
        existsSync(path.join(this.scratch, name)) ||
        existsSync(`/tmp/${name}`)
      ) {
        damage.push(`${name} was written`);
      }
    }
    const canary = await readFile(path.join(this.scratch, 'canary'), 'utf8');
    if (canary !== CANARIES.file) {
      damage.push('a file was changed');
    }
    for (const [name, value] of Object.entries(CANARIES)) {
      if (texts.some(text => text.includes(value))) {
        damage.push(`the ${name} leaked`);
      }
    }
    if (texts.some(text => text.includes('root:x:0:0:root:/root:/bin/'))) {
      damage.push('the passwords of the machine leaked');
    }
    const left = await leftProcesses();
    return left === 0 ? damage : [...damage, `${left} processes are left`];
  }

  async #probe(): Promise<void> {
    while (!this.#isOver) {
      const before = performance.now();
      const { status } = await this.client.get('/job/hello/api/json');
      this.#delays.push(performance.now() - before);
      if (status !== 200) {
        throw new Error(`The server answered ${status}`);
      }
      await sleep(PROBE_MS);
    }
  }
}

/** Counts running processes of attacks, after killed ones have had time to end. */
async function leftProcesses(): Promise<number> {
  let left = 0;
  for (let tries = 0; tries < 20; tries += 1) {
    left = sleepers(SLEEP).length;
    if (left === 0) {
      return 0;
    }
    await sleep(100);
  }
  return left;
}
