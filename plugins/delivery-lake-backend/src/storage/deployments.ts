import { v7 as uuid } from 'uuid';
import { DeploymentRecord } from '../events/LakeEvent';
import { Folded } from '../events/findNewEvents';
import { BatchSql, NullableRowOf, RowOf, sameColumns } from './BatchSql';
import { deleteByIds, selectByKeys, upsertByKeys } from './sentRecords';

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
  const found = await selectByKeys(sql, 'deployments', {
    columns: DEPLOYMENT_COLUMNS,
    keys,
  });
  const listing = [...found.values()].filter(row => row.lists_changes);
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
    Array.from(found, ([key, row]) => [
      key,
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

const removeListed = (sql: BatchSql, rows: { id: number }[]) =>
  deleteByIds(sql, 'deployment_changes', { rows, column: 'deployment_id' });

async function upsert(
  sql: BatchSql,
  upserts: Map<string, Upsert>,
): Promise<void> {
  const written = await upsertByKeys(sql, 'deployments', {
    columns: DEPLOYMENT_COLUMNS,
    rows: [...upserts.values()].map(({ row }) => row),
  });
  const listed: Partial<NullableRowOf<typeof LISTED_COLUMNS>>[] = [];
  for (const { key, id, publicId } of written) {
    const found = upserts.get(key)!;
    found.row.public_id = publicId;
    for (const sha of found.changes) {
      const { repository_id } = found.row;
      listed.push({ deployment_id: id, repository_id, sha });
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

/**
 * Updates `deployments` and `deployment_changes` to the folded records. Must run after
 * {@link writeChanges}.
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
  await removeListed(sql, gone);
  await deleteByIds(sql, 'deployments', { rows: gone });
  for (const [key, { row }] of upserts) {
    publicIds.set(key, row.public_id);
  }
  return [
    ...[...upserts.values()].map(({ before, row }) => ({ before, after: row })),
    ...gone.map(before => ({ before })),
  ];
}
