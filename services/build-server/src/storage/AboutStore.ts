import type { Database } from '@slipway/service-kit';
import type { AboutBuild } from '../builds/Build.ts';
import type { BuildRow } from './buildRows.ts';

/** Stores the names and descriptions that people give to builds. */
export class AboutStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Changes the name, the description or both of a build, in any state.
   *
   * @param change - members that are missing remain unchanged.
   * @returns false if the build does not exist.
   */
  async change(id: number, change: Partial<AboutBuild>): Promise<boolean> {
    return this.#database.transaction(async trx => {
      // Locks the row: two people may change different parts at the same time.
      const [row] = await trx<BuildRow>('builds')
        .where({ id })
        .update({ id })
        .returning('about');
      if (!row) {
        return false;
      }
      const about: AboutBuild = {
        ...{ displayName: null, description: null },
        ...(row.about !== null && JSON.parse(row.about)),
        ...change,
      };
      await trx<BuildRow>('builds')
        .where({ id })
        .update({ about: JSON.stringify(about) });
      return true;
    });
  }
}
