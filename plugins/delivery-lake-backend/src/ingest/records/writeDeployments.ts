import { DeploymentRecord } from '../../events/foldDeployment';
import { BatchSql, overwrite } from '../sql/BatchSql';
import {
  changePositions,
  KnownDeployment,
  knownDeployments,
} from './deploymentReads';
import {
  DEPLOYMENT_COLUMNS,
  DeploymentRow,
  toDeploymentRow,
} from './deploymentRows';
import { Folded } from './Folded';
import { sameColumns } from './sameColumns';

const ID = { id: 'bigint' } as const;
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

/** A deployment as it was and as it is now; what has not changed is none. */
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
    // The public id that it was first given stays.
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
 * Brings `deployments` and `deployment_changes` up to what was folded; the changes
 * are written already.
 *
 * @param options.publicIds - is told the public id of each that there is, by key.
 * @returns those that are not as they were.
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
