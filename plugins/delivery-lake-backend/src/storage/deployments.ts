import { v7 as uuid } from 'uuid';
import { DeploymentRecord } from '../events/LakeEvent';
import {
  BatchSql,
  columnList,
  NullableRowOf,
  overwrite,
  RowOf,
  sameColumns,
} from './BatchSql';
import { Folded } from './sortEvents';

/** Columns of a deployment that come from its record; the derived ones are not included. */
const DEPLOYMENT_COLUMNS = {
  public_id: 'text',
  source: 'text',
  external_id: 'text',
  service_id: 'integer',
  environment: 'text',
  status: 'text',
  started_at: 'bigint',
  finished_at: 'bigint',
  version: 'text',
  triggered_by: 'text',
  repository_id: 'integer',
  commit_sha: 'text',
  commit_message: 'text',
  commit_author: 'text',
  lists_changes: 'smallint',
  rollback_of: 'text',
  unplanned: 'smallint',
  url: 'text',
  revision: 'bigint',
  counted: 'smallint',
  head_position: 'bigint',
} as const;

type Required = Pick<
  RowOf<typeof DEPLOYMENT_COLUMNS>,
  'public_id' | 'source' | 'external_id' | 'service_id' | 'counted'
>;

/** A row of `deployments` without the derived columns. */
export type DeploymentRow = Omit<
  NullableRowOf<typeof DEPLOYMENT_COLUMNS>,
  keyof Required
> &
  Required;

/** Converts a deployment record to a row. */
function toDeploymentRow(
  record: DeploymentRecord,
  related: {
    publicId: string | undefined;
    serviceId: number;
    repositoryId: number | null;
    headPosition: number | null;
  },
): DeploymentRow {
  return {
    public_id: related.publicId ?? `deploy-${uuid()}`,
    source: record.source,
    external_id: record.externalId,
    service_id: related.serviceId,
    environment: record.environment,
    status: record.status,
    started_at: record.startedAt,
    finished_at: record.finishedAt,
    version: record.version,
    triggered_by: record.triggeredBy,
    repository_id: related.repositoryId,
    commit_sha: record.commit?.sha ?? null,
    commit_message: record.commit?.message ?? null,
    commit_author: record.commit?.author ?? null,
    lists_changes: Number(record.changes.length > 0),
    rollback_of: record.rollbackOf,
    unplanned: Number(record.unplanned),
    url: record.url,
    revision: record.revision,
    counted: Number(record.counted),
    head_position: related.headPosition,
  };
}

const ID = { id: 'bigint' } as const;
const SENDER_KEY = { source: 'text', external_id: 'text' } as const;
const CHANGE_KEY = { repository_id: 'integer', sha: 'text' } as const;
const LISTED = { deployment_id: 'bigint', sha: 'text' } as const;

/** An existing deployment with the changes it lists, sorted. */
interface KnownDeployment extends DeploymentRow {
  id: number;
  changes: string[];
}

/** Reads the existing deployments, by record key. */
async function knownDeployments(
  sql: BatchSql,
  keys: string[],
): Promise<Map<string, KnownDeployment>> {
  if (keys.length === 0) {
    return new Map();
  }
  const rows = await sql.select(
    { ...ID, ...DEPLOYMENT_COLUMNS },
    `SELECT d.id, ${columnList(DEPLOYMENT_COLUMNS, 'd')}
     FROM ${sql.batch('r', SENDER_KEY)} CROSS JOIN deployments d
     WHERE d.source = r.source AND d.external_id = r.external_id`,
    keys.map(key => {
      const [source, external_id]: string[] = JSON.parse(key);
      return { source, external_id };
    }),
  );
  const listing = rows.filter(row => row.lists_changes);
  const listed = listing.length
    ? await sql.select(
        LISTED,
        `SELECT l.deployment_id, l.sha
         FROM ${sql.batch('r', ID)} CROSS JOIN deployment_changes l
         WHERE l.deployment_id = r.id`,
        listing.map(({ id }) => ({ id })),
      )
    : [];
  const changes = new Map<number, string[]>();
  for (const { deployment_id, sha } of listed) {
    const shas = changes.get(deployment_id) ?? [];
    shas.push(sha);
    changes.set(deployment_id, shas);
  }
  return new Map(
    rows.map(row => [
      JSON.stringify([row.source, row.external_id]),
      { ...row, changes: (changes.get(row.id) ?? []).sort() },
    ]),
  );
}

/** Reads the positions of existing changes. */
async function changePositions(
  sql: BatchSql,
  commits: { repositoryId: number; sha: string }[],
): Promise<(repositoryId: number, sha: string) => number | null> {
  const rows = commits.length
    ? await sql.select(
        { ...CHANGE_KEY, position: 'bigint' },
        `SELECT c.repository_id, c.sha, c.position
         FROM ${sql.batch('r', CHANGE_KEY)} CROSS JOIN changes c
         WHERE c.repository_id = r.repository_id AND c.sha = r.sha`,
        commits.map(({ repositoryId, sha }) => ({
          repository_id: repositoryId,
          sha,
        })),
      )
    : [];
  const positions = new Map(
    rows.map(row => [`${row.repository_id} ${row.sha}`, row.position]),
  );
  return (repositoryId, sha) => positions.get(`${repositoryId} ${sha}`) ?? null;
}
const KEY_AND_IDS = {
  ...ID,
  public_id: 'text',
  source: 'text',
  external_id: 'text',
} as const;
const LISTED_COLUMNS = {
  deployment_id: 'bigint',
  repository_id: 'integer',
  sha: 'text',
} as const;

/** A changed deployment, before and after. */
export interface DeploymentShift {
  before?: DeploymentRow;
  after?: DeploymentRow;
}

interface Upsert {
  row: DeploymentRow;
  changes: string[];
  before?: KnownDeployment;
}

async function removeListed(
  sql: BatchSql,
  deployments: { id: number }[],
): Promise<void> {
  if (deployments.length > 0) {
    await sql.execute(
      `DELETE FROM deployment_changes
       WHERE deployment_id IN (SELECT id FROM ${sql.batch('r', ID)})`,
      deployments.map(({ id }) => ({ id })),
    );
  }
}

async function upsert(
  sql: BatchSql,
  upserts: Map<string, Upsert>,
): Promise<void> {
  const written = await sql.insertReturning({
    table: 'deployments',
    columns: DEPLOYMENT_COLUMNS,
    rows: [...upserts.values()].map(({ row }) => row),
    // The first public id is permanent.
    conflict: `(source, external_id) ${overwrite(DEPLOYMENT_COLUMNS, [
      'public_id',
    ])}`,
    returning: KEY_AND_IDS,
  });
  const listed: { deployment_id: number; sha: string }[] = [];
  for (const { id, public_id, source, external_id } of written) {
    const found = upserts.get(JSON.stringify([source, external_id]))!;
    found.row.public_id = public_id;
    for (const sha of found.changes) {
      const { repository_id } = found.row;
      listed.push({
        deployment_id: id,
        repository_id,
        sha,
      } as (typeof listed)[0]);
    }
  }
  await removeListed(
    sql,
    [...upserts.values()].flatMap(({ before }) =>
      before?.lists_changes ? [before] : [],
    ),
  );
  await sql.insert({
    table: 'deployment_changes',
    columns: LISTED_COLUMNS,
    rows: listed,
    conflict: 'DO NOTHING',
  });
}

async function remove(sql: BatchSql, gone: KnownDeployment[]): Promise<void> {
  if (gone.length > 0) {
    await removeListed(sql, gone);
    await sql.execute(
      `DELETE FROM deployments WHERE id IN (SELECT id FROM ${sql.batch(
        'r',
        ID,
      )})`,
      gone.map(({ id }) => ({ id })),
    );
  }
}

/**
 * Updates `deployments` and `deployment_changes` to the folded records. Runs after {@link
 * writeChanges}.
 *
 * @param options.publicIds - receives the public ids of existing records, by key.
 * @returns the deployments that changed.
 */
export async function writeDeployments(options: {
  sql: BatchSql;
  deployments: Folded<DeploymentRecord>[];
  services: ReadonlyMap<string, number>;
  repositories: ReadonlyMap<string, number>;
  publicIds: Map<string, string>;
}): Promise<DeploymentShift[]> {
  const { sql, deployments, services, repositories, publicIds } = options;
  const repositoryOf = (record: DeploymentRecord) =>
    record.repository === null ? null : repositories.get(record.repository)!;
  const known = await knownDeployments(
    sql,
    deployments.filter(({ fresh }) => !fresh).map(({ key }) => key),
  );
  const headOf = await changePositions(
    sql,
    deployments.flatMap(({ record }) => {
      const repositoryId = record ? repositoryOf(record) : null;
      return record?.commit && repositoryId !== null
        ? [{ repositoryId, sha: record.commit.sha }]
        : [];
    }),
  );

  const upserts = new Map<string, Upsert>();
  const gone: KnownDeployment[] = [];
  for (const { key, record } of deployments) {
    const before = known.get(key);
    if (!record) {
      gone.push(...(before ? [before] : []));
      continue;
    }
    const repositoryId = repositoryOf(record);
    const row = toDeploymentRow(record, {
      publicId: before?.public_id,
      serviceId: services.get(record.service)!,
      repositoryId,
      headPosition:
        record.commit && repositoryId !== null
          ? headOf(repositoryId, record.commit.sha)
          : null,
    });
    const same =
      before &&
      sameColumns(DEPLOYMENT_COLUMNS, before, row) &&
      before.changes.join() === record.changes.join();
    if (!same) {
      upserts.set(key, { row, changes: record.changes, before });
    }
    publicIds.set(key, row.public_id);
  }
  await upsert(sql, upserts);
  await remove(sql, gone);
  for (const [key, { row }] of upserts) {
    publicIds.set(key, row.public_id);
  }
  return [
    ...[...upserts.values()].map(({ before, row }) => ({ before, after: row })),
    ...gone.map(before => ({ before })),
  ];
}
