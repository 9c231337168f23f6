import { BatchSql } from '../sql/BatchSql';
import { LinkRow } from './incidentRows';
import { DeploymentShift } from './writeDeployments';

const LINK_COLUMNS = {
  nr: 'integer',
  link_source: 'text',
  link_external_id: 'text',
  link_id: 'text',
  link_sha: 'text',
} as const;

const LINKED_COLUMNS = {
  nr: 'integer',
  via: 'integer',
  service_id: 'integer',
  finished_at: 'bigint',
} as const;

const SENDER_KEY = { source: 'text', external_id: 'text' } as const;

const NAMES_COLUMNS = {
  ...SENDER_KEY,
  public_id: 'text',
  commit_sha: 'text',
} as const;

/** A deployment that a link may mean. */
export interface LinkedDeployment {
  serviceId: number;
  finishedAt: number | null;
}

/**
 * The deployments that each link names: those of the sender's key, else the one of
 * the lake's id, else all of the commit.
 */
export async function linkedDeployments(
  sql: BatchSql,
  links: LinkRow[],
): Promise<LinkedDeployment[][]> {
  const linked: LinkedDeployment[][] = links.map(() => []);
  const rows = links
    .map((link, nr) => ({ nr, ...link }))
    .filter(row => row.link_external_id ?? row.link_id ?? row.link_sha);
  if (rows.length === 0) {
    return linked;
  }
  const select = (via: number, condition: string) =>
    `SELECT r.nr, ${via} AS via, d.service_id, d.finished_at
     FROM r CROSS JOIN deployments d WHERE ${condition}`;
  const found = await sql.select(
    LINKED_COLUMNS,
    `WITH r AS (SELECT * FROM ${sql.batch('b', LINK_COLUMNS)}) ${[
      select(
        1,
        'd.source = r.link_source AND d.external_id = r.link_external_id',
      ),
      select(2, 'd.public_id = r.link_id'),
      select(3, 'd.commit_sha = r.link_sha'),
    ].join(' UNION ALL ')}`,
    rows,
  );
  const best = new Map<number, number>();
  for (const { nr, via } of found) {
    best.set(nr, Math.min(via, best.get(nr) ?? via));
  }
  for (const { nr, via, service_id, finished_at } of found) {
    if (via === best.get(nr)) {
      linked[nr].push({ serviceId: service_id, finishedAt: finished_at });
    }
  }
  return linked;
}

/** The service of the deployments a link names; null where they are of several. */
export function commonService(linked: LinkedDeployment[]): number | null {
  const services = new Set(linked.map(({ serviceId }) => serviceId));
  return services.size === 1 ? [...services][0] : null;
}

/** Record keys of the incidents that link to any of these deployments, as they were or are. */
export async function incidentsLinkingTo(
  sql: BatchSql,
  shifts: DeploymentShift[],
): Promise<string[]> {
  const rows = shifts.flatMap(({ before, after }) => {
    const { source, external_id, public_id } = (after ?? before)!;
    const shas = new Set([
      before?.commit_sha ?? null,
      after?.commit_sha ?? null,
    ]);
    return [...shas].map(commit_sha => ({
      source,
      external_id,
      public_id,
      commit_sha,
    }));
  });
  if (rows.length === 0) {
    return [];
  }
  const select = (condition: string) =>
    `SELECT i.source, i.external_id
     FROM r CROSS JOIN incidents i WHERE ${condition}`;
  const found = await sql.select(
    SENDER_KEY,
    `WITH r AS (SELECT * FROM ${sql.batch('b', NAMES_COLUMNS)}) ${[
      select('i.link_source = r.source AND i.link_external_id = r.external_id'),
      select('i.link_id = r.public_id'),
      select('i.link_sha = r.commit_sha'),
    ].join(' UNION ')}`,
    rows,
  );
  return found.map(({ source, external_id }) =>
    JSON.stringify([source, external_id]),
  );
}
