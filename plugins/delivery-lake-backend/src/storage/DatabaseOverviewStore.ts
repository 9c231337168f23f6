import type { Knex } from 'knex';
import type { BigInteger } from './BatchSql';
import { LakeService } from './services';

/** A sender, the time of its last event (in milliseconds) and the number of its events. */
export interface StoredSource {
  source: string;
  lastEventAt: number;
  events: number;
}

/** The recent activity of a service without a component. */
export interface ServiceActivity {
  deployments: number;
  incidents: number;
  /** Milliseconds since the Unix epoch. */
  lastSeenAt: number;
  /** Senders of its latest records. */
  sources: string[];
}

/** An incident without a known service. Times are in milliseconds. */
export interface StrayIncident {
  id: string;
  title: string;
  startedAt: number;
  source: string;
}

/** A delivery without events. Times are milliseconds since the Unix epoch. */
export interface UnusedDelivery {
  id: string;
  channel: string;
  type: string;
  receivedAt: number;
  outcome: 'ignored' | 'rejected';
  reason: string;
}

/** The number of records in the lake. */
export interface LakeSize {
  deployments: number;
  changes: number;
  incidents: number;
}

/** SQL for the moment of a deployment, the same expression as in the index; see the migrations. */
const MOMENT = 'COALESCE(finished_at, started_at)';

/** The number of latest records whose senders are listed. */
const RECENT = 50;

interface RecentRow {
  source: string;
  moment: BigInteger;
}

/** Reads figures about the whole lake from its database. */
export class DatabaseOverviewStore {
  readonly #db: Knex;

  constructor(db: Knex) {
    this.#db = db;
  }

  async size(): Promise<LakeSize> {
    const [deployments, changes, incidents] = await Promise.all([
      this.#count(this.#db('deployments')),
      this.#count(this.#db('changes')),
      this.#count(this.#db('incidents')),
    ]);
    return { deployments, changes, incidents };
  }

  /** Lists senders, most recent first. */
  async sources(): Promise<StoredSource[]> {
    const rows: { source: string; last: BigInteger; events: BigInteger }[] =
      await this.#db('lake_sources')
        .select('source', 'events', { last: 'last_event_at' })
        .orderBy('last_event_at', 'desc');
    return rows.map(({ source, last, events }) => ({
      source,
      lastEventAt: Number(last),
      events: Number(events),
    }));
  }

  /** Lists services without a component, most recent first. */
  async unclaimedServices(limit: number): Promise<LakeService[]> {
    const db = this.#db;
    return db({ s: 'services' })
      .whereNull('s.entity_ref')
      .select('id', 'name', { entityRef: 'entity_ref' }, 'team', 'project')
      .orderByRaw(
        `(SELECT MAX(${MOMENT}) FROM deployments d WHERE d.service_id = s.id) IS NULL`,
      )
      .orderByRaw(
        `(SELECT MAX(${MOMENT}) FROM deployments d WHERE d.service_id = s.id) DESC`,
      )
      .orderBy('name')
      .limit(limit);
  }

  async countUnclaimedServices(): Promise<number> {
    return this.#count(this.#db('services').whereNull('entity_ref'));
  }

  async activityOf(serviceId: number): Promise<ServiceActivity> {
    const of = (table: string): Knex.QueryBuilder =>
      this.#db(table).where({ service_id: serviceId });
    const [deployments, incidents, deployed, broken]: [
      number,
      number,
      RecentRow[],
      RecentRow[],
    ] = await Promise.all([
      this.#count(of('deployments')),
      this.#count(of('incidents')),
      of('deployments')
        .select('source', this.#db.raw(`${MOMENT} AS moment`))
        .orderByRaw(`${MOMENT} DESC`)
        .limit(RECENT),
      of('incidents')
        .select('source', { moment: 'started_at' })
        .orderBy('started_at', 'desc')
        .limit(RECENT),
    ]);
    const recent = [...deployed, ...broken];
    return {
      deployments,
      incidents,
      lastSeenAt: Math.max(0, ...recent.map(({ moment }) => Number(moment))),
      sources: [...new Set(recent.map(({ source }) => source))].sort(),
    };
  }

  /** Lists incidents without a known service, newest first, and counts all of them. */
  async strayIncidents(
    limit: number,
  ): Promise<{ incidents: StrayIncident[]; total: number }> {
    const stray = (): Knex.QueryBuilder =>
      this.#db('incidents').whereNull('service_id');
    const [total, rows] = await Promise.all([
      this.#count(stray()),
      stray()
        .select('title', 'source', { id: 'public_id', startedAt: 'started_at' })
        .orderBy('started_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit),
    ]);
    const incidents = rows.map(
      (row: Omit<StrayIncident, 'startedAt'> & { startedAt: BigInteger }) => ({
        ...row,
        startedAt: Number(row.startedAt),
      }),
    );
    return { incidents, total };
  }

  /** Counts deployments whose commit is not a known change. */
  async countDeploymentsWithoutChange(): Promise<number> {
    return this.#count(
      this.#db('deployments')
        .where({ counted: 1, lists_changes: 0 })
        .whereNotNull('commit_sha')
        .whereNull('head_position'),
    );
  }

  /** Lists deliveries without events, newest first. */
  async unusedDeliveries(limit: number): Promise<UnusedDelivery[]> {
    const latest = (outcome: UnusedDelivery['outcome']): Knex.QueryBuilder =>
      this.#db('lake_deliveries')
        .where({ outcome })
        .select('id', 'channel', 'type', 'outcome', 'reason', 'received_at')
        .orderBy('received_at', 'desc')
        .limit(limit);
    // One index range each; a combined query would have to sort the index.
    const found = await Promise.all([latest('ignored'), latest('rejected')]);
    return found
      .flat()
      .map(({ received_at, id, reason, ...row }) => ({
        ...row,
        id: String(id),
        reason: reason ?? '',
        receivedAt: Number(received_at),
      }))
      .sort((a, b) => b.receivedAt - a.receivedAt)
      .slice(0, limit);
  }

  async #count(query: Knex.QueryBuilder): Promise<number> {
    const [{ total }] = await query.count({ total: '*' });
    return Number(total);
  }
}
