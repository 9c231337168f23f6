import type { Knex } from 'knex';
import { LakeService } from './services';

/** A sender, when it was last heard of (in milliseconds) and how much it sent. */
export interface StoredSource {
  source: string;
  lastEventAt: number;
  events: number;
}

/** What a service that nobody claims has to show. */
export interface ServiceActivity {
  deployments: number;
  incidents: number;
  /** Milliseconds since the Unix epoch. */
  lastSeenAt: number;
  /** Senders of its latest records. */
  sources: string[];
}

/** An incident that concerns no known service. Times in milliseconds. */
export interface StrayIncident {
  id: string;
  title: string;
  startedAt: number;
  source: string;
}

/** A delivery that became no event. Times in milliseconds. */
export interface UnusedDelivery {
  id: string;
  channel: string;
  type: string;
  receivedAt: number;
  outcome: 'ignored' | 'rejected';
  reason: string;
}

/** How many records the lake holds. */
export interface LakeSize {
  deployments: number;
  changes: number;
  incidents: number;
}

/** The moment of a deployment, written as the index has it; see the migrations. */
const MOMENT = 'COALESCE(finished_at, started_at)';

/** Records whose senders are told; further back nobody needs to look. */
const RECENT = 50;

/** PostgreSQL gives 64-bit numbers as text. */
type BigInteger = number | string;

interface RecentRow {
  source: string;
  moment: BigInteger;
}

/** Reads what the lake as a whole holds from its database. */
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

  /** Lists senders, those heard of last first. */
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

  /** Services without a component, those seen last first. */
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

  /** Newest first. */
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

  /** Counted deployments whose commit no change tells of. */
  async countDeploymentsWithoutChange(): Promise<number> {
    return this.#count(
      this.#db('deployments')
        .where({ counted: 1, lists_changes: 0 })
        .whereNotNull('commit_sha')
        .whereNull('head_position'),
    );
  }

  /** Newest first. */
  async unusedDeliveries(limit: number): Promise<UnusedDelivery[]> {
    const latest = (outcome: UnusedDelivery['outcome']): Knex.QueryBuilder =>
      this.#db('lake_deliveries')
        .where({ outcome })
        .select('id', 'channel', 'type', 'outcome', 'reason', 'received_at')
        .orderBy('received_at', 'desc')
        .limit(limit);
    // One index range each; together the index would have to be sorted.
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
