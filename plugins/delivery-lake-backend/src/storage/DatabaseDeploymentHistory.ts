import { ENVIRONMENTS } from '@slipway/plugin-delivery-lake-common';
import type { Knex } from 'knex';
import { DURATION_KIND } from '../derivation/ServiceHistory';
import { landingTime } from '../events/foldRecords';
import {
  DeploymentFilter,
  PageRequest,
  LakeChange,
  LakeDeployment,
} from '../history/records';
import { type BigInteger, nullableNumber, whereTextIn } from './BatchSql';
import {
  DEPLOYMENT_DETAILS,
  type DeploymentDetailsRow,
  toDeployment,
} from './deploymentDetails';

/** SQL for the moment of a deployment, the same expression as in the index; see the migrations. */
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
  deployment_id: BigInteger;
  public_id: string;
  title: string;
  attribution: string;
}

interface ChangeRow extends Omit<LakeChange, 'committedAt' | 'leadTime'> {
  committed_at: BigInteger | null;
  position: BigInteger;
  duration: BigInteger | null;
}

function toChange(row: ChangeRow): LakeChange {
  const { committed_at, position, duration, ...change } = row;
  return {
    ...change,
    committedAt: Number(committed_at ?? landingTime(Number(position))),
    leadTime: nullableNumber(duration),
  };
}

/** Reads deployments, and the changes they delivered, from the lake's database. */
export class DatabaseDeploymentHistory {
  readonly #db: Knex;

  constructor(db: Knex) {
    this.#db = db;
  }

  /** Returns the deployments of services, latest start first, and how many there are. */
  async latest(request: {
    services: number[];
    environment?: string;
    limit: number;
  }): Promise<{ deployments: LakeDeployment[]; total: number }> {
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

  /** Lists deployments by finish or, while running, by start; newest first. */
  async list(
    filter: DeploymentFilter,
    page: PageRequest,
  ): Promise<LakeDeployment[]> {
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

  /** Returns the deployment with a public id, such as `deploy-…`. */
  async get(id: string): Promise<LakeDeployment | undefined> {
    const [found] = await this.#read(this.#details().where('d.public_id', id));
    return found;
  }

  /**
   * Returns the last successful deployment of each service to dev, staging and prod, newest first.
   */
  async running(services: number[]): Promise<LakeDeployment[]> {
    // One index lookup for each service and environment.
    const newest = ENVIRONMENTS.map(environment =>
      this.#db({ s: 'services' })
        .select(
          this.#db({ d: 'deployments' })
            .select('d.id')
            .whereRaw('d.service_id = s.id')
            .where({ 'd.environment': environment, 'd.status': 'SUCCESS' })
            .orderBy('d.started_at', 'desc')
            .orderBy('d.id', 'desc')
            .limit(1)
            .as('id'),
        )
        .whereIn('s.id', services),
    );
    const found: { id: BigInteger | null }[] = await this.#db.unionAll(newest);
    const ids = found.flatMap(({ id }) => id ?? []);
    return ids.length === 0
      ? []
      : this.#read(
          this.#details()
            .whereIn('d.id', ids)
            .orderByRaw(`${MOMENT} DESC`)
            .orderBy('d.id', 'desc'),
        );
  }

  /**
   * Returns the changes that a deployment delivered to production, latest first, and how many
   * there are.
   *
   * @param rowId - internal id of the deployment.
   */
  async changesOf(
    rowId: number,
    limit: number,
  ): Promise<{ changes: LakeChange[]; total: number }> {
    const delivered = (): Knex.QueryBuilder =>
      this.#db({ t: 'durations' })
        .join({ c: 'changes' }, 'c.id', 't.subject_id')
        .where({ 't.deployment_id': rowId, 't.kind': DURATION_KIND.lead });
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

  #details(): Knex.QueryBuilder {
    return this.#db({ d: 'deployments' })
      .join({ s: 'services' }, 's.id', 'd.service_id')
      .leftJoin({ r: 'repositories' }, 'r.id', 'd.repository_id')
      .select(DEPLOYMENT_DETAILS);
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

  async #read(query: Knex.QueryBuilder): Promise<LakeDeployment[]> {
    const rows: DeploymentDetailsRow[] = await query;
    const incidents = await this.#incidents(rows.map(row => row.row_id));
    return rows.map(row =>
      toDeployment(row, incidents.get(Number(row.row_id)) ?? []),
    );
  }

  async #incidents(
    ids: BigInteger[],
  ): Promise<Map<number, LakeDeployment['incidents']>> {
    const found = new Map<number, LakeDeployment['incidents']>();
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
