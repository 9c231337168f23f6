import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Job } from '../jobs/Job.ts';
import { BuildClient } from './BuildClient.ts';
import { startBuildServer, type TestServer } from './startBuildServer.ts';

/** A job of one step. */
export function jobOf(run: string, more: Partial<Job> = {}): Job {
  return { name: 'job', steps: [{ name: 'Run', run }], ...more };
}

/**
 * A build server for a single test, with a scratch folder; both are removed after the
 * test.
 */
export class Bench {
  /** A folder for what builds and tests write. */
  readonly scratch: string;
  readonly #mode: string;
  #server: TestServer | undefined;

  private constructor(scratch: string, mode: string) {
    this.scratch = scratch;
    this.#mode = mode;
  }

  /** @param mode - how its builds are isolated. */
  static async open(mode = 'unsafe-none'): Promise<Bench> {
    const scratch = await mkdtemp(path.join(tmpdir(), 'build-scratch-'));
    return new Bench(scratch, mode);
  }

  async start(
    jobs: readonly Job[],
    config: Record<string, unknown> = {},
  ): Promise<BuildClient> {
    this.#server = await startBuildServer({
      jobs,
      config: { isolation: { mode: this.#mode }, ...config },
    });
    return new BuildClient(this.#server.url);
  }

  /** Directory with all of the server's files. */
  get directory(): string {
    return this.#server!.directory;
  }

  /** Lists the folders of builds, without the one prepared for the next build. */
  async folders(): Promise<string[]> {
    const names = await readdir(path.join(this.directory, 'work'));
    return names.filter(name => !name.startsWith('next-'));
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    this.#server = undefined;
  }

  async close(): Promise<void> {
    await this.stop();
    await rm(this.scratch, { recursive: true, force: true });
  }
}
