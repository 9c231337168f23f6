import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { repositoryRoot } from '@slipway/dev-runner/src/layout.ts';

const execute = promisify(execFile);

/**
 * Runs a command.
 *
 * @throws Error with the complete output of the command.
 */
async function run(
  command: string,
  args: string[],
  options: { cwd: string },
): Promise<void> {
  try {
    await execute(command, args, options);
  } catch (error) {
    const { message, stdout } = error as Error & { stdout?: string };
    throw new Error(`${message}\n${stdout ?? ''}`, { cause: error });
  }
}

const fixture = fileURLToPath(
  new URL('../fixtures/empty-app', import.meta.url),
);

/** A Vite and React app outside the repository that installs the design system from its tarball. */
export class EmptyApp {
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /**
   * Packs the design system, installs it with npm and strict peer dependencies, type-checks the app
   * and builds it.
   *
   * @throws Error with the output of the command that failed.
   */
  static async create(): Promise<EmptyApp> {
    const app = new EmptyApp(await mkdtemp(path.join(tmpdir(), 'empty-app-')));
    await cp(fixture, app.#directory, { recursive: true });
    const tarball = path.join(app.#directory, 'design-system.tgz');
    await run(
      'yarn',
      ['workspace', '@slipway/design-system', 'pack', '--out', tarball],
      { cwd: repositoryRoot },
    );
    await app.#npm('install', '--strict-peer-deps', '--no-audit', tarball);
    await app.#npm('run', 'build');
    return app;
  }

  /** Returns the file of the built app that is served at a path. */
  fileOf(pathname: string): string {
    const name = pathname === '/' ? 'index.html' : pathname.slice(1);
    return path.join(this.#directory, 'dist', name);
  }

  async remove(): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #npm(...args: string[]): Promise<void> {
    await run('npm', args, { cwd: this.#directory });
  }
}
