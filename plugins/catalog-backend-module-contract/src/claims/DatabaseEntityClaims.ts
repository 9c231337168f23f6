import {
  DatabaseService,
  resolvePackagePath,
} from '@backstage/backend-plugin-api';
import { openDatabase } from '@slipway/portal-kit/database';
import type { Knex } from 'knex';

const TABLE = 'entity_claims';

/** Time until a claim expires. The catalog reads a new location within seconds, but may have a long queue. */
const LIFETIME_MS = 10 * 60_000;

/**
 * Longer than the catalog takes to store a location. If a location is still unknown to the catalog by
 * then, the request that claimed it has failed, and another may register the same location.
 */
const STORED_AFTER_MS = 15_000;

/** Keeps the number of variables per statement below the limits of databases. */
const ROWS_AT_ONCE = 500;

/** An entity, and the location that will provide it. */
export interface EntityClaim {
  entityRef: string;
  /** The location in Backstage's format: `url:https://…`. */
  location: string;
}

interface Row {
  entity_ref: string;
  location: string;
  claimed_at: number;
}

/** Thrown for a conflicting claim, to roll back the transaction. */
class ClaimInTheWay extends Error {
  readonly claim: EntityClaim;

  constructor(claim: EntityClaim) {
    super(`${claim.entityRef} is claimed by ${claim.location}`);
    this.claim = claim;
  }
}

/**
 * Stores which location will provide an entity, until the entity appears in the catalog. Replicas share
 * claims, because they are in the catalog's own database. A claim expires after {@link LIFETIME_MS}: by
 * then, the entity has either appeared, and the catalog itself protects it, or cannot be read.
 */
export class DatabaseEntityClaims {
  readonly #knex: Knex;
  readonly #now: () => number;

  private constructor(knex: Knex, now: () => number) {
    this.#knex = knex;
    this.#now = now;
  }

  /** Opens the claims in the catalog's database, with migrations separate from the catalog's own. */
  static async open(
    database: DatabaseService,
    options: { now?: () => number } = {},
  ): Promise<DatabaseEntityClaims> {
    const knex = await openDatabase({
      database,
      migrations: resolvePackagePath(
        '@slipway/plugin-catalog-backend-module-contract',
        'migrations',
      ),
      migrationsTable: 'slipway_contract_migrations',
    });
    return new DatabaseEntityClaims(knex, options.now ?? Date.now);
  }

  /**
   * Claims either all of these entities for a location or none. Replaces claims of the same location
   * that are older than {@link STORED_AFTER_MS}, because their request failed.
   *
   * @param options.instead - a location whose claims are replaced by this one's.
   * @returns undefined on success, otherwise a conflicting claim, which belongs to the same location if two
   * requests register it at the same time.
   */
  async claim(
    location: string,
    entityRefs: readonly string[],
    { instead }: { instead?: string } = {},
  ): Promise<EntityClaim | undefined> {
    const now = this.#now();
    // Always in the same order, to avoid deadlocks.
    const rows = [...new Set(entityRefs)].sort().map(ref => ({
      entity_ref: ref,
      location,
      claimed_at: now,
    }));
    try {
      await this.#knex.transaction(async tx => {
        await tx<Row>(TABLE)
          .where('claimed_at', '<=', now - LIFETIME_MS)
          .orWhere(own =>
            own
              .where({ location })
              .where('claimed_at', '<=', now - STORED_AFTER_MS),
          )
          .modify(query => instead && query.orWhere({ location: instead }))
          .delete();
        for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
          await insert(tx, rows.slice(at, at + ROWS_AT_ONCE));
        }
      });
      return undefined;
    } catch (error) {
      if (error instanceof ClaimInTheWay) {
        return error.claim;
      }
      throw error;
    }
  }

  /** Lists the entities that a location claims. */
  async of(location: string): Promise<string[]> {
    return this.#knex<Row>(TABLE)
      .where({ location })
      .where('claimed_at', '>', this.#now() - LIFETIME_MS)
      .pluck('entity_ref');
  }

  /** Removes the claims of a location. */
  async release(location: string): Promise<void> {
    await this.#knex<Row>(TABLE).where({ location }).delete();
  }
}

/** Inserts claims. @throws ClaimInTheWay for the first entity that is already claimed. */
async function insert(tx: Knex.Transaction, rows: Row[]): Promise<void> {
  const inserted: Array<Pick<Row, 'entity_ref'>> = await tx<Row>(TABLE)
    .insert(rows)
    .onConflict('entity_ref')
    .ignore()
    .returning('entity_ref');
  if (inserted.length === rows.length) {
    return;
  }
  const ours = new Set(inserted.map(row => row.entity_ref));
  const taken = rows.find(row => !ours.has(row.entity_ref)) ?? rows[0];
  const other = await tx<Row>(TABLE)
    .where({ entity_ref: taken.entity_ref })
    .first('location');
  throw new ClaimInTheWay({
    entityRef: taken.entity_ref,
    location: other?.location ?? 'another location',
  });
}
