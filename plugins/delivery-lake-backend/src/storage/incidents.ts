import { v7 as uuid } from 'uuid';
import { IncidentRecord, senderKey } from '../events/LakeEvent';
import { Folded } from '../events/findNewEvents';
import { BatchSql, NullableRowOf, RowOf, sameColumns } from './BatchSql';
import { deleteByIds, selectByKeys, upsertByKeys } from './sentRecords';
import { DeploymentShift } from './deployments';
import { DirtyMarks } from './marks';

/** Columns of an incident that come from its record; the derived ones are not included. */
const INCIDENT_COLUMNS = {
  public_id: 'text',
  source: 'text',
  external_id: 'text',
  service_id: 'integer',
  environment: 'text',
  title: 'text',
  severity: 'text',
  started_at: 'bigint',
  resolved_at: 'bigint',
  link_source: 'text',
  link_external_id: 'text',
  link_id: 'text',
  link_sha: 'text',
  link_is_own: 'smallint',
  url: 'text',
  revision: 'bigint',
} as const;

type Required = Pick<
  RowOf<typeof INCIDENT_COLUMNS>,
  'public_id' | 'source' | 'external_id' | 'started_at' | 'link_is_own'
>;

/** A row of `incidents` without the derived columns. */
type IncidentRow = Omit<
  NullableRowOf<typeof INCIDENT_COLUMNS>,
  keyof Required
> &
  Required;

/** The columns that link an incident to its deployment. */
type LinkRow = Pick<
  IncidentRow,
  'link_source' | 'link_external_id' | 'link_id' | 'link_sha'
>;

/** Converts a link to columns. */
function toLinkRow({ link }: IncidentRecord): LinkRow {
  return {
    link_source: link?.source ?? null,
    link_external_id: link?.externalId ?? null,
    link_id: link?.id ?? null,
    link_sha: link?.sha ?? null,
  };
}

/** Converts an incident record to a row. */
function toIncidentRow(
  record: IncidentRecord,
  related: { publicId: string | undefined; serviceId: number | null },
): IncidentRow {
  return {
    public_id: related.publicId ?? `incident-${uuid()}`,
    source: record.source,
    external_id: record.externalId,
    service_id: related.serviceId,
    environment: record.environment,
    title: record.title,
    severity: record.severity,
    started_at: record.startedAt,
    resolved_at: record.resolvedAt,
    ...toLinkRow(record),
    link_is_own: Number(record.link?.isOwn ?? false),
    url: record.url,
    revision: record.revision,
  };
}

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

/** A deployment to which a link may refer. */
interface LinkedDeployment {
  serviceId: number;
  finishedAt: number | null;
}

/**
 * Finds the deployments of each link: by the sender's key, otherwise by the lake's id, otherwise
 * all deployments of the commit.
 */
async function linkedDeployments(
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

/** Returns the service of linked deployments; null if they belong to several. */
function commonService(linked: LinkedDeployment[]): number | null {
  const services = new Set(linked.map(({ serviceId }) => serviceId));
  return services.size === 1 ? [...services][0] : null;
}

/**
 * Returns the record keys of incidents that link to any of these deployments, before or after the
 * change.
 */
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
  return found.map(({ source, external_id }) => senderKey(source, external_id));
}

/** Marks the services and deployments that an incident affects, before and after the change. */
function markIncident(
  marks: DirtyMarks,
  states: (IncidentRow | undefined)[],
  linked: LinkedDeployment[],
): void {
  const since = Math.min(...states.map(row => row?.started_at ?? Infinity));
  for (const row of states) {
    marks.since(row?.service_id ?? null, since);
  }
  for (const { serviceId, finishedAt } of linked) {
    marks.since(serviceId, finishedAt);
  }
}

/**
 * Updates `incidents` to the folded records. Must run after deployments are written, so that an
 * incident without a service inherits that of its deployment.
 *
 * @param options.publicIds - receives the public ids of existing records, by key.
 */
export async function writeIncidents(options: {
  sql: BatchSql;
  marks: DirtyMarks;
  incidents: Folded<IncidentRecord>[];
  services: ReadonlyMap<string, number>;
  publicIds: Map<string, string>;
}): Promise<void> {
  const { sql, marks, incidents, services, publicIds } = options;
  if (incidents.length === 0) {
    return;
  }
  const known = await selectByKeys(sql, 'incidents', {
    columns: INCIDENT_COLUMNS,
    keys: incidents.filter(({ fresh }) => !fresh).map(({ key }) => key),
  });
  const present = incidents.flatMap(({ key, record }) =>
    record ? [{ key, record }] : [],
  );
  const linked = await linkedDeployments(
    sql,
    present.map(({ record }) => toLinkRow(record)),
  );

  const upserts: IncidentRow[] = [];
  const overwritten: IncidentRow[] = [];
  for (const [index, { key, record }] of present.entries()) {
    const before = known.get(key);
    const row = toIncidentRow(record, {
      publicId: before?.public_id,
      serviceId:
        record.service === null
          ? commonService(linked[index])
          : services.get(record.service)!,
    });
    publicIds.set(key, row.public_id);
    if (!before || !sameColumns(INCIDENT_COLUMNS, before, row)) {
      upserts.push(row);
      overwritten.push(...(before ? [before] : []));
      markIncident(marks, [before, row], linked[index]);
    }
  }
  const gone = incidents.flatMap(({ key, record }) => {
    const before = known.get(key);
    return before && !record ? [before] : [];
  });
  const written = await upsertByKeys(sql, 'incidents', {
    columns: INCIDENT_COLUMNS,
    rows: upserts,
  });
  for (const { key, publicId } of written) {
    publicIds.set(key, publicId);
  }
  await deleteByIds(sql, 'incidents', { rows: gone });
  // Marks the deployments that the incidents linked to before.
  const old = [...overwritten, ...gone];
  const oldLinked = await linkedDeployments(sql, old);
  for (const [index, before] of old.entries()) {
    markIncident(marks, [before], oldLinked[index]);
  }
}
