import { BatchSql, columnList } from '../sql/BatchSql';
import { DEPLOYMENT_COLUMNS, DeploymentRow } from './deploymentRows';

const ID = { id: 'bigint' } as const;
const SENDER_KEY = { source: 'text', external_id: 'text' } as const;
const CHANGE_KEY = { repository_id: 'integer', sha: 'text' } as const;
const LISTED = { deployment_id: 'bigint', sha: 'text' } as const;

/** A deployment that is there, with the changes it lists, sorted. */
export interface KnownDeployment extends DeploymentRow {
  id: number;
  changes: string[];
}

/** The deployments that are there, by their record key. */
export async function knownDeployments(
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

/** Where changes stand, of those that are there. */
export async function changePositions(
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
