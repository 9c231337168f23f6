import type { Database } from '@slipway/service-kit';
import type { AboutBuild } from '../builds/Build.ts';
import type { BuildRow } from './BuildReader.ts';

/** Stores the names and descriptions that people give to builds. */
export class AboutStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Replaces the name and the description of a build, whatever its state.
   *
   * @returns false if it does not exist.
   */
  async set(id: number, about: AboutBuild): Promise<boolean> {
    const changed = await this.#database.transaction(trx =>
      trx<BuildRow>('builds')
        .where({ id })
        .update({ about: JSON.stringify(about) }),
    );
    return changed > 0;
  }
}
