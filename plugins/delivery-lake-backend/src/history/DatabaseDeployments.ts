import type { Knex } from 'knex';
import { whereTextIn } from './DatabaseText';
import {
  DEPLOYMENT_COLUMNS,
  DeploymentRow,
  toDeployment,
} from './deploymentRows';
import {
  DeploymentFilter,
  PageRequest,
  StoredDeployment,
} from './HistoryStore';

/** As the index has it; see the migrations. */
const MOMENT = 'COALESCE(d.finished_at, d.started_at)';

const SEARCHED = [
  's.name',
  'd.version',
  'd.commit_sha',
  'd.commit_message',
  'd.commit_author',
  'd.triggered_by',
  'd.external_id',
];

interface IncidentRow {
  deployment_id: number | string;
  public_id: string;
  title: string;
  attribution: string;
}

/** Reads deployments. */
export class DatabaseDeployments {
  readonly #db: Knex;

  constructor(db: Knex) {
    this.#db = db;
  }

  async history(request: {
    services: number[];
    environment?: string;
    limit: number;
  }): Promise<{ deployments: StoredDeployment[]; total: number }> {
    const { services, environment, limit } = request;
    const matching = () => {
      const query: Knex.QueryBuilder = this.#db({ d: 'deployments' }).whereIn(
        'd.service_id',
        services,
      );
      return environment === undefined
        ? query
        : query.where('d.environment', environment);
    };
    const latest = matching()
      .select('d.id')
      .orderBy('d.started_at', 'desc')
      .orderBy('d.id', 'desc')
      .limit(limit);
    const [[{ total }], deployments] = await Promise.all([
      matching().count({ total: '*' }),
      this.#read(
        this.#details()
          .whereIn('d.id', latest)
          .orderBy('d.started_at', 'desc')
          .orderBy('d.id', 'desc'),
      ),
    ]);
    return { deployments, total: Number(total) };
  }

  async list(
    filter: DeploymentFilter,
    page: PageRequest,
  ): Promise<StoredDeployment[]> {
    const query = this.#filter(this.#details(), filter)
      .orderByRaw(`${MOMENT} DESC`)
      .orderBy('d.id', 'desc')
      .limit(page.limit);
    const { after } = page;
    if (after) {
      query
        .whereRaw(`${MOMENT} <= ?`, [after.moment])
        .where(rest =>
          rest
            .whereRaw(`${MOMENT} < ?`, [after.moment])
            .orWhere('d.id', '<', after.rowId),
        );
    }
    return this.#read(query);
  }

  async count(filter: DeploymentFilter): Promise<number> {
    const query: Knex.QueryBuilder = this.#db({ d: 'deployments' });
    if (filter.text !== undefined) {
      query.join({ s: 'services' }, 's.id', 'd.service_id');
    }
    const [{ total }] = await this.#filter(query, filter).count({ total: '*' });
    return Number(total);
  }

  async get(id: string): Promise<StoredDeployment | undefined> {
    const [found] = await this.#read(this.#details().where('d.public_id', id));
    return found;
  }

  #details(): Knex.QueryBuilder {
    return this.#db({ d: 'deployments' })
      .join({ s: 'services' }, 's.id', 'd.service_id')
      .leftJoin({ r: 'repositories' }, 'r.id', 'd.repository_id')
      .select(DEPLOYMENT_COLUMNS);
  }

  #filter(
    query: Knex.QueryBuilder,
    filter: DeploymentFilter,
  ): Knex.QueryBuilder {
    const { services, period, environment, status, failed, text } = filter;
    query
      .whereRaw(`${MOMENT} >= ?`, [period.start])
      .whereRaw(`${MOMENT} < ?`, [period.end]);
    if (services !== 'all') {
      query.whereIn('d.service_id', services);
    }
    if (environment !== undefined) {
      query.where('d.environment', environment);
    }
    if (status !== undefined) {
      query.where('d.status', status);
    }
    if (failed !== undefined) {
      query.where('d.counted', 1).where('d.failed', failed ? 1 : 0);
    }
    if (text !== undefined) {
      whereTextIn(query, SEARCHED, text);
    }
    return query;
  }

  async #read(query: Knex.QueryBuilder): Promise<StoredDeployment[]> {
    const rows: DeploymentRow[] = await query;
    const incidents = await this.#incidents(rows.map(row => row.row_id));
    return rows.map(row =>
      toDeployment(row, incidents.get(Number(row.row_id)) ?? []),
    );
  }

  async #incidents(
    ids: (number | string)[],
  ): Promise<Map<number, StoredDeployment['incidents']>> {
    const found = new Map<number, StoredDeployment['incidents']>();
    const rows: IncidentRow[] =
      ids.length === 0
        ? []
        : await this.#db('incidents')
            .select('deployment_id', 'public_id', 'title', 'attribution')
            .whereIn('deployment_id', ids)
            .orderBy('started_at')
            .orderBy('id');
    for (const { deployment_id, public_id, title, attribution } of rows) {
      const id = Number(deployment_id);
      const guessed = attribution === 'guessed';
      found.set(id, [
        ...(found.get(id) ?? []),
        { id: public_id, title, guessed },
      ]);
    }
    return found;
  }
}
