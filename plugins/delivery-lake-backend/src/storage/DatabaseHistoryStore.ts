import type { Knex } from 'knex';
import { DURATION_KIND } from '../derivation/ServiceHistory';
import { landingTime } from '../events/foldRecords';
import {
  DeploymentFilter,
  IncidentFilter,
  PageRequest,
  StoredChange,
  StoredDeployment,
  StoredIncident,
} from '../history/records';
import { DatabaseDeployments, whereTextIn } from './deploymentLists';

interface ChangeRow extends Omit<StoredChange, 'committedAt' | 'leadTime'> {
  committed_at: number | string | null;
  position: number | string;
  duration: number | string | null;
}

function toChange(row: ChangeRow): StoredChange {
  const { committed_at, position, duration, ...change } = row;
  return {
    ...change,
    committedAt: Number(committed_at ?? landingTime(Number(position))),
    leadTime: duration === null ? null : Number(duration),
  };
}

/** Reads the changes that deployments delivered. */
class DatabaseDeliveredChanges {
  readonly #db: Knex;

  constructor(db: Knex) {
    this.#db = db;
  }

  /** @param deploymentRowId - internal id. */
  async read(
    deploymentRowId: number,
    limit: number,
  ): Promise<{ changes: StoredChange[]; total: number }> {
    const delivered = (): Knex.QueryBuilder =>
      this.#db({ t: 'durations' })
        .join({ c: 'changes' }, 'c.id', 't.subject_id')
        .where({
          't.deployment_id': deploymentRowId,
          't.kind': DURATION_KIND.lead,
        });
    const [[{ total }], rows] = await Promise.all([
      delivered().count({ total: '*' }),
      delivered()
        .join({ r: 'repositories' }, 'r.id', 'c.repository_id')
        .select('c.sha', 'c.message', 'c.author', 'c.committed_at', 'c.url')
        .select('c.position', 't.duration', { repository: 'r.name' })
        .orderBy('c.position', 'desc')
        .limit(limit),
    ]);
    return { changes: rows.map(toChange), total: Number(total) };
  }
}

const SEARCHED = ['s.name', 'i.title', 'i.severity', 'i.external_id'];

/** PostgreSQL returns 64-bit numbers as text. */
type BigInteger = number | string;

interface IncidentRow {
  row_id: BigInteger;
  public_id: string;
  title: string;
  environment: string;
  severity: string | null;
  started_at: BigInteger;
  resolved_at: BigInteger | null;
  url: string | null;
  source: string;
  external_id: string;
  attribution: string | null;
  deployment_id: string | null;
  deployment_version: string;
  deployment_ended_at: BigInteger;
  service_id: number | null;
  service_name: string;
  entity_ref: string | null;
  team: string | null;
  project: string | null;
}

/** Reads incidents. */
class DatabaseIncidents {
  readonly #db: Knex;

  constructor(db: Knex) {
    this.#db = db;
  }

  async list(
    filter: IncidentFilter,
    page: PageRequest,
  ): Promise<StoredIncident[]> {
    const query = this.#withDetails(this.#matching(filter))
      .orderBy('i.started_at', 'desc')
      .orderBy('i.id', 'desc')
      .limit(page.limit);
    const { after } = page;
    if (after) {
      query
        .where('i.started_at', '<=', after.moment)
        .where(rest =>
          rest
            .where('i.started_at', '<', after.moment)
            .orWhere('i.id', '<', after.rowId),
        );
    }
    const rows: IncidentRow[] = await query;
    return rows.map(toIncident);
  }

  /** @param id - `incident-…`. */
  async get(id: string): Promise<StoredIncident | undefined> {
    const [row]: IncidentRow[] = await this.#withDetails(
      this.#db({ i: 'incidents' })
        .leftJoin({ s: 'services' }, 's.id', 'i.service_id')
        .where('i.public_id', id),
    );
    return row && toIncident(row);
  }

  #withDetails(query: Knex.QueryBuilder): Knex.QueryBuilder {
    return query
      .leftJoin({ d: 'deployments' }, 'd.id', 'i.deployment_id')
      .select({
        row_id: 'i.id',
        public_id: 'i.public_id',
        title: 'i.title',
        environment: 'i.environment',
        severity: 'i.severity',
        started_at: 'i.started_at',
        resolved_at: 'i.resolved_at',
        url: 'i.url',
        source: 'i.source',
        external_id: 'i.external_id',
        attribution: 'i.attribution',
        deployment_id: 'd.public_id',
        deployment_version: 'd.version',
        service_id: 's.id',
        service_name: 's.name',
        entity_ref: 's.entity_ref',
        team: 's.team',
        project: 's.project',
      })
      .select(
        this.#db.raw(
          'COALESCE(d.finished_at, d.started_at) AS deployment_ended_at',
        ),
      );
  }

  async count(filter: IncidentFilter): Promise<number> {
    const [{ total }] = await this.#matching(filter).count({ total: '*' });
    return Number(total);
  }

  #matching(filter: IncidentFilter): Knex.QueryBuilder {
    const { services, period, environment, open, text } = filter;
    const query: Knex.QueryBuilder = this.#db({ i: 'incidents' })
      .leftJoin({ s: 'services' }, 's.id', 'i.service_id')
      .where('i.started_at', '<', period.end);
    query.where(either => {
      if (open !== false) {
        either.whereNull('i.resolved_at');
      }
      if (open !== true) {
        either.orWhere('i.resolved_at', '>=', period.start);
      }
    });
    if (services !== 'all') {
      query.whereIn('i.service_id', services);
    }
    if (environment !== undefined) {
      query.where('i.environment', environment);
    }
    if (text !== undefined) {
      whereTextIn(query, SEARCHED, text);
    }
    return query;
  }
}

function toIncident(row: IncidentRow): StoredIncident {
  return {
    rowId: Number(row.row_id),
    id: row.public_id,
    title: row.title,
    service:
      row.service_id === null
        ? null
        : {
            id: row.service_id,
            name: row.service_name,
            entityRef: row.entity_ref,
            team: row.team,
            project: row.project,
          },
    environment: row.environment,
    severity: row.severity,
    startedAt: Number(row.started_at),
    resolvedAt: row.resolved_at === null ? null : Number(row.resolved_at),
    url: row.url,
    source: row.source,
    externalId: row.external_id,
    deployment:
      row.deployment_id === null
        ? null
        : {
            id: row.deployment_id,
            version: row.deployment_version,
            endedAt: Number(row.deployment_ended_at),
            guessed: row.attribution === 'guessed',
          },
  };
}

/** Reads deployments and incidents from the lake's database. */
export class DatabaseHistoryStore {
  readonly #deployments: DatabaseDeployments;
  readonly #changes: DatabaseDeliveredChanges;
  readonly #incidents: DatabaseIncidents;

  constructor(db: Knex) {
    this.#deployments = new DatabaseDeployments(db);
    this.#changes = new DatabaseDeliveredChanges(db);
    this.#incidents = new DatabaseIncidents(db);
  }

  /** Returns deployments of services, latest start first. */
  async history(request: {
    services: number[];
    environment?: string;
    limit: number;
  }): Promise<{ deployments: StoredDeployment[]; total: number }> {
    return this.#deployments.history(request);
  }

  /** Lists deployments by finish or, while running, by start; newest first. */
  async deployments(
    filter: DeploymentFilter,
    page: PageRequest,
  ): Promise<StoredDeployment[]> {
    return this.#deployments.list(filter, page);
  }

  /** Returns the last success of each service in dev, staging and prod, newest first. */
  async running(services: number[]): Promise<StoredDeployment[]> {
    return this.#deployments.running(services);
  }

  async countDeployments(filter: DeploymentFilter): Promise<number> {
    return this.#deployments.count(filter);
  }

  /** @param id - `deploy-…`. */
  async deployment(id: string): Promise<StoredDeployment | undefined> {
    return this.#deployments.get(id);
  }

  /** Returns the changes that a deployment delivered to production, latest first. */
  async changesOf(
    deploymentRowId: number,
    limit: number,
  ): Promise<{ changes: StoredChange[]; total: number }> {
    return this.#changes.read(deploymentRowId, limit);
  }

  /** @param id - `incident-…`. */
  async incident(id: string): Promise<StoredIncident | undefined> {
    return this.#incidents.get(id);
  }

  /** Lists incidents by start, newest first. */
  async incidents(
    filter: IncidentFilter,
    page: PageRequest,
  ): Promise<StoredIncident[]> {
    return this.#incidents.list(filter, page);
  }

  async countIncidents(filter: IncidentFilter): Promise<number> {
    return this.#incidents.count(filter);
  }
}
