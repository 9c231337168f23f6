import type { Knex } from 'knex';
import { ServiceDirectory } from '../catalog/ServiceDirectory';
import { ownershipColumns } from './records/Names';
import { BatchSql } from './sql/BatchSql';

const SERVICE_COLUMNS = {
  id: 'integer',
  name: 'text',
  entity_ref: 'text',
  team: 'text',
  project: 'text',
} as const;

const PAGE = 1_000;

/** Keeps on each service of the lake whose it is by the catalog of today. */
export class ServiceMatcher {
  readonly #knex: Knex;
  readonly #directory: ServiceDirectory;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: { knex: Knex; directory: ServiceDirectory }) {
    this.#knex = options.knex;
    this.#directory = options.directory;
  }

  /**
   * Matches all services once the directory has been read and whenever it changes:
   * not before, when it knows nobody and would take every service from its team.
   */
  start(): void {
    this.#directory.onChange(() => this.match());
  }

  /** Matches all services. Calls while it runs wait for their turn. */
  async match(): Promise<void> {
    const turn = this.#last.then(() => this.#match());
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #match(): Promise<void> {
    const sql = new BatchSql(this.#knex);
    for (let last = 0; ; ) {
      const services = await sql.select(
        SERVICE_COLUMNS,
        `SELECT s.id, s.name, s.entity_ref, s.team, s.project
         FROM ${sql.batch('r', { last: 'integer' })} CROSS JOIN services s
         WHERE s.id > r.last ORDER BY s.id LIMIT ${PAGE}`,
        [{ last }],
      );
      const moved = services.flatMap(({ id, name, ...known }) => {
        const owned = ownershipColumns(this.#directory, name);
        const same =
          owned.entity_ref === known.entity_ref &&
          owned.team === known.team &&
          owned.project === known.project;
        return same ? [] : [{ id, name, ...owned }];
      });
      if (moved.length > 0) {
        await sql.execute(
          `UPDATE services
           SET entity_ref = r.entity_ref, team = r.team, project = r.project
           FROM ${sql.batch('r', SERVICE_COLUMNS)} WHERE services.id = r.id`,
          moved,
        );
      }
      if (services.length < PAGE) {
        return;
      }
      last = services[services.length - 1].id;
    }
  }
}
