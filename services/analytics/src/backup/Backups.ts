import {
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import {
  ConflictError,
  type Database,
  NotFoundError,
  type ServiceKit,
} from '@slipway/service-kit';
import { BACKUP_FILES } from '../store/backUpEvents.ts';
import type { EngineName } from '../store/EventStore.ts';

/** The version of the layout of a backup's directory. */
const BACKUP_FORMAT = 1;

/** The description of a backup, stored in it as `manifest.json`. */
interface Manifest {
  readonly format: typeof BACKUP_FORMAT;
  readonly engine: EngineName;
  /** False if the database of the service is PostgreSQL, which has its own backups. */
  readonly hasDatabase: boolean;
  /** False if the events are not in chDB. */
  readonly hasColumns: boolean;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly finishedAt: string;
}

/** The state of a backup. */
export interface Backup {
  readonly name: string;
  readonly state: 'running' | 'done' | 'failed';
  readonly bytes?: number;
  readonly manifest?: Manifest;
}

/** The store of events. */
interface BackedUpEvents {
  state(): { readonly engine: EngineName };
  /** Returns whether there are columns to restore. */
  backUp(directory: string): Promise<{ hasColumns: boolean }>;
}

const PARTIAL = '.partial';
const NAME = /^\d{8}T\d{6}Z$/;

interface BackupsOptions {
  directory: string;
  events: BackedUpEvents;
  database: Database;
  logger: Pick<ServiceKit['logger'], 'error'>;
  now: () => number;
}

/**
 * Backs up this replica's events and the SQLite database while the service keeps running. A
 * backup is complete if its directory has no suffix `.partial`.
 */
export class Backups {
  readonly #options: BackupsOptions;
  #running: string | undefined;
  readonly #failed = new Set<string>();

  constructor(options: BackupsOptions) {
    this.#options = options;
  }

  /**
   * Starts a backup, which contains everything acknowledged before the call.
   * @throws ConflictError if one is running.
   */
  async start(): Promise<Backup> {
    const { directory, now, logger } = this.#options;
    if (this.#running !== undefined) {
      throw new ConflictError(`The backup ${this.#running} is still running`);
    }
    const startedAt = new Date(now());
    const name = startedAt.toISOString().replace(/[-:]|\.\d+/g, '');
    this.#running = name;
    try {
      await mkdir(directory, { recursive: true });
      const isTaken = (await readdir(directory)).includes(name);
      if (isTaken) {
        throw new ConflictError('Wait a second: a backup was just made');
      }
    } catch (error) {
      this.#running = undefined;
      throw error;
    }
    void this.#make(name, startedAt).then(
      () => {
        this.#running = undefined;
      },
      (error: unknown) => {
        logger.error({ err: error }, `The backup ${name} failed`);
        this.#running = undefined;
        this.#failed.add(name);
      },
    );
    return { name, state: 'running' };
  }

  /** Lists the backups of this replica, newest first. */
  async list(): Promise<Backup[]> {
    const entries = await readdir(this.#options.directory).catch(() => []);
    const names = new Set([
      ...entries.filter(entry => NAME.test(entry)),
      ...this.#failed,
      ...(this.#running === undefined ? [] : [this.#running]),
    ]);
    const sorted = [...names].sort().reverse();
    const backups = await Promise.all(
      // Ignore directories that are being deleted, or have another version.
      sorted.map(name => this.get(name).catch(() => undefined)),
    );
    return backups.filter(backup => backup !== undefined);
  }

  /** @throws NotFoundError */
  async get(name: string): Promise<Backup> {
    if (name === this.#running) {
      return { name, state: 'running' };
    }
    if (this.#failed.has(name)) {
      return { name, state: 'failed' };
    }
    if (!NAME.test(name)) {
      throw new NotFoundError('Backup not found');
    }
    const directory = path.join(this.#options.directory, name);
    try {
      const manifest = await readManifest(directory);
      return { name, state: 'done', manifest, bytes: await sizeOf(directory) };
    } catch {
      throw new NotFoundError('Backup not found');
    }
  }

  async #make(name: string, startedAt: Date): Promise<void> {
    const { directory, events, database, now } = this.#options;
    const partial = path.join(directory, name + PARTIAL);
    await mkdir(partial);
    try {
      const { hasColumns } = await events.backUp(partial);
      // Back up the database last: it must contain the changes that the journal no longer contains.
      const hasDatabase = database.client === 'sqlite';
      if (hasDatabase) {
        const file = path.join(partial, BACKUP_FILES.database);
        await database.knex.raw('VACUUM INTO ?', [file]);
      }
      const manifest: Manifest = {
        format: BACKUP_FORMAT,
        engine: events.state().engine,
        hasDatabase,
        hasColumns,
        startedAt: startedAt.toISOString(),
        finishedAt: new Date(now()).toISOString(),
      };
      await writeFile(
        path.join(partial, BACKUP_FILES.manifest),
        `${JSON.stringify(manifest, undefined, 2)}\n`,
        { flush: true },
      );
      await rename(partial, path.join(directory, name));
    } catch (error) {
      await rm(partial, { recursive: true, force: true });
      throw error;
    }
  }
}

/** @throws if the directory does not contain a complete backup of this version. */
export async function readManifest(directory: string): Promise<Manifest> {
  const text = await readFile(
    path.join(directory, BACKUP_FILES.manifest),
    'utf8',
  );
  const manifest: Manifest = JSON.parse(text);
  if (manifest.format !== BACKUP_FORMAT) {
    throw new Error(`${directory} is a backup of another version`);
  }
  return manifest;
}

async function sizeOf(directory: string): Promise<number> {
  const entries = await readdir(directory, {
    recursive: true,
    withFileTypes: true,
  });
  const sizes = await Promise.all(
    entries
      .filter(entry => entry.isFile())
      .map(entry => stat(path.join(entry.parentPath, entry.name))),
  );
  return sizes.reduce((sum, { size }) => sum + size, 0);
}
