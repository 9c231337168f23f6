import type { Knex } from 'knex';
import { IncidentFilter, PageRequest, LakeIncident } from '../history/records';
import { type BigInteger, nullableNumber, whereTextIn } from './BatchSql';
import { OWNED_SERVICE, type OwnedServiceRow, toLakeService } from './services';

const SEARCHED = ['s.name', 'i.title', 'i.severity', 'i.external_id'];

interface IncidentRow extends Omit<OwnedServiceRow, 'service_id'> {
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
}

/** Reads incidents from the lake's database. */
export class DatabaseIncidentHistory {
  readonly #db: Knex;

  constructor(db: Knex) {
    this.#db = db;
  }

  /** Lists incidents by start, newest first. */
  async list(
    filter: IncidentFilter,
    page: PageRequest,
  ): Promise<LakeIncident[]> {
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

  /** Returns the incident with a public id, such as `incident-…`. */
  async get(id: string): Promise<LakeIncident | undefined> {
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
        ...OWNED_SERVICE,
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

function toIncident(row: IncidentRow): LakeIncident {
  return {
    rowId: Number(row.row_id),
    id: row.public_id,
    title: row.title,
    service:
      row.service_id === null
        ? null
        : toLakeService({ ...row, service_id: row.service_id }),
    environment: row.environment,
    severity: row.severity,
    startedAt: Number(row.started_at),
    resolvedAt: nullableNumber(row.resolved_at),
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
