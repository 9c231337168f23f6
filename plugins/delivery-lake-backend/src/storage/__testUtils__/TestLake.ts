import type { Knex } from 'knex';
import { changePosition } from '../../events/foldRecords';

/** A deployment for the input tables. Times are in milliseconds. */
export interface DeploymentInput {
  key: string;
  service: number;
  finishedAt: number | null;
  startedAt?: number;
  environment?: string;
  status?: string;
  repository?: number;
  sha?: string;
  changes?: string[];
  rollbackOf?: string;
  unplanned?: boolean;
}

export interface ChangeInput {
  repository: number;
  sha: string;
  landedAt: number;
  committedAt?: number | null;
}

export interface IncidentInput {
  key: string;
  service: number | null;
  startedAt: number;
  resolvedAt?: number | null;
  environment?: string;
  /** Key of a deployment. */
  deployment?: string;
  /** Public id of a deployment. */
  deploymentId?: string;
  sha?: string;
  /** True if the public id may only identify deployments of the incident's component. */
  linkIsOwn?: boolean;
}

interface DeploymentRow {
  service_id: number;
  finished_at: string | number | null;
  counted: number;
}

function isCounted({ environment, status, finishedAt }: DeploymentInput) {
  return (
    (environment ?? 'prod') === 'prod' &&
    ['SUCCESS', 'ROLLED_BACK'].includes(status ?? 'SUCCESS') &&
    finishedAt !== null
  );
}

/** Writes the input tables in the same way as ingestion: rows, heads and marks. */
export class TestLake {
  constructor(readonly knex: Knex) {}

  /** Creates a lake on a migrated database without rows, with services and repositories 1 to 9. */
  static async create(knex: Knex): Promise<TestLake> {
    const names = Array.from({ length: 9 }, (_, index) => index + 1);
    await knex('services').insert(names.map(id => ({ id, name: `s${id}` })));
    await knex('repositories').insert(
      names.map(id => ({ id, name: `acme/r${id}` })),
    );
    return new TestLake(knex);
  }

  async putDeployment(input: DeploymentInput): Promise<void> {
    const key = { source: 'ci', external_id: input.key };
    const before = await this.knex('deployments').where(key).first();
    const repository = input.repository ?? 1;
    const head = input.sha
      ? await this.knex('changes')
          .where({ repository_id: repository, sha: input.sha })
          .first()
      : undefined;
    const row = {
      ...key,
      public_id: `deploy-${input.key}`,
      service_id: input.service,
      environment: input.environment ?? 'prod',
      status: input.status ?? 'SUCCESS',
      started_at: input.startedAt ?? (input.finishedAt ?? 0) - 1,
      finished_at: input.finishedAt,
      version: '1',
      triggered_by: 'ada',
      repository_id: input.sha || input.changes ? repository : null,
      commit_sha: input.sha ?? null,
      lists_changes: input.changes?.length ? 1 : 0,
      rollback_of: input.rollbackOf ?? null,
      unplanned: input.unplanned ? 1 : 0,
      revision: 1,
      counted: isCounted(input) ? 1 : 0,
      head_position: head?.position ?? null,
    };
    await this.knex('deployments')
      .insert(row)
      .onConflict(['source', 'external_id'])
      .merge();
    const { id } = await this.knex('deployments').where(key).first();
    await this.knex('deployment_changes').where('deployment_id', id).delete();
    if (input.changes?.length) {
      await this.knex('deployment_changes').insert(
        [...new Set(input.changes)].map(sha => ({
          deployment_id: id,
          repository_id: repository,
          sha,
        })),
      );
    }
    if (row.repository_id) {
      await this.knex('service_repositories')
        .insert({ service_id: input.service, repository_id: repository })
        .onConflict(['repository_id', 'service_id'])
        .ignore();
    }
    await this.#markDeployments([before, row]);
  }

  async deleteDeployment(key: string): Promise<void> {
    const before = await this.knex('deployments')
      .where('external_id', key)
      .first();
    if (before) {
      await this.knex('deployments').where('id', before.id).delete();
      await this.knex('deployment_changes')
        .where('deployment_id', before.id)
        .delete();
      await this.#markDeployments([before]);
    }
  }

  async putChange(input: ChangeInput): Promise<void> {
    const key = { repository_id: input.repository, sha: input.sha };
    const before = await this.knex('changes').where(key).first();
    const position = changePosition(input.landedAt);
    await this.knex('changes')
      .insert({
        ...key,
        message: '',
        author: 'ada',
        committed_at:
          input.committedAt === undefined ? input.landedAt : input.committedAt,
        position,
        revision: 1,
      })
      .onConflict(['repository_id', 'sha'])
      .merge();
    await this.#markChange(
      key,
      Math.min(position, Number(before?.position ?? position)),
      position,
    );
  }

  async deleteChange(repository: number, sha: string): Promise<void> {
    const key = { repository_id: repository, sha };
    const before = await this.knex('changes').where(key).first();
    if (before) {
      await this.knex('changes').where(key).delete();
      await this.#markChange(key, Number(before.position), null);
    }
  }

  async putIncident(input: IncidentInput): Promise<void> {
    const key = { source: 'pager', external_id: input.key };
    const before = await this.knex('incidents').where(key).first();
    const row = {
      ...key,
      public_id: `incident-${input.key}`,
      service_id: input.service,
      environment: input.environment ?? 'prod',
      title: input.key,
      started_at: input.startedAt,
      resolved_at: input.resolvedAt ?? null,
      link_source: input.deployment ? 'ci' : null,
      link_external_id: input.deployment ?? null,
      link_id: input.deploymentId ?? null,
      link_sha: input.sha ?? null,
      link_is_own: Number(input.linkIsOwn ?? false),
      revision: 1,
    };
    await this.knex('incidents')
      .insert(row)
      .onConflict(['source', 'external_id'])
      .merge();
    await this.#markIncidents([before, row]);
  }

  async deleteIncident(key: string): Promise<void> {
    const before = await this.knex('incidents')
      .where('external_id', key)
      .first();
    if (before) {
      await this.knex('incidents').where('id', before.id).delete();
      await this.#markIncidents([before]);
      if (before.link_external_id) {
        // A deleted row does not show which deployment it was attributed to.
        await this.#markDeployments(
          await this.knex('deployments').where(
            'external_id',
            before.link_external_id,
          ),
        );
      }
      if (before.link_id) {
        await this.#markDeployments(
          await this.knex('deployments').where('public_id', before.link_id),
        );
      }
      if (before.link_sha) {
        await this.#markDeployments(
          await this.knex('deployments').where('commit_sha', before.link_sha),
        );
      }
    }
  }

  async #markDeployments(rows: (DeploymentRow | undefined)[]): Promise<void> {
    for (const row of rows) {
      if (row?.counted) {
        await this.#mark({
          service_id: row.service_id,
          since: Number(row.finished_at),
        });
      }
    }
  }

  async #markIncidents(
    rows: (
      { service_id: number | null; started_at: string | number } | undefined
    )[],
  ): Promise<void> {
    for (const row of rows) {
      if (row?.service_id) {
        await this.#mark({
          service_id: row.service_id,
          since: Number(row.started_at),
        });
      }
    }
  }

  async #markChange(
    key: { repository_id: number; sha: string },
    from: number,
    position: number | null,
  ): Promise<void> {
    const naming = this.knex('deployments').where({
      repository_id: key.repository_id,
      commit_sha: key.sha,
    });
    await naming.clone().update({ head_position: position });
    await this.#markDeployments(await naming);
    await this.#markDeployments(
      await this.knex('deployments').whereIn(
        'id',
        this.knex('deployment_changes').where(key).select('deployment_id'),
      ),
    );
    const services = await this.knex('service_repositories').where(
      'repository_id',
      key.repository_id,
    );
    for (const { service_id } of services) {
      await this.#mark({
        service_id,
        repository_id: key.repository_id,
        position: from,
      });
    }
  }

  async #mark(mark: {
    service_id: number;
    since?: number;
    repository_id?: number;
    position?: number;
  }): Promise<void> {
    await this.knex('dirty_marks').insert(mark);
  }
}
