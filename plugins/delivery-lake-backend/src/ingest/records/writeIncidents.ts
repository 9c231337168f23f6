import { IncidentRecord } from '../../events/foldIncident';
import { BatchSql, columnList, overwrite } from '../sql/BatchSql';
import { DirtyMarks } from './DirtyMarks';
import { Folded } from './Folded';
import {
  commonService,
  LinkedDeployment,
  linkedDeployments,
} from './incidentLinks';
import {
  INCIDENT_COLUMNS,
  IncidentRow,
  toIncidentRow,
  toLinkRow,
} from './incidentRows';
import { sameColumns } from './sameColumns';

const ID = { id: 'bigint' } as const;
const SENDER_KEY = { source: 'text', external_id: 'text' } as const;
const KEY_AND_PUBLIC_ID = { ...SENDER_KEY, public_id: 'text' } as const;

type KnownIncident = IncidentRow & { id: number };

async function knownIncidents(
  sql: BatchSql,
  keys: string[],
): Promise<Map<string, KnownIncident>> {
  if (keys.length === 0) {
    return new Map();
  }
  const rows = await sql.select(
    { ...ID, ...INCIDENT_COLUMNS },
    `SELECT i.id, ${columnList(INCIDENT_COLUMNS, 'i')}
     FROM ${sql.batch('r', SENDER_KEY)} CROSS JOIN incidents i
     WHERE i.source = r.source AND i.external_id = r.external_id`,
    keys.map(key => {
      const [source, external_id]: string[] = JSON.parse(key);
      return { source, external_id };
    }),
  );
  return new Map(
    rows.map(row => [JSON.stringify([row.source, row.external_id]), row]),
  );
}

/** Marks the services an incident was and is of, and the deployments it named and names. */
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
 * Brings `incidents` up to what was folded; the deployments are written already,
 * so that one that names no service gets that of its deployment.
 *
 * @param options.publicIds - is told the public id of each that there is, by key.
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
  const known = await knownIncidents(
    sql,
    incidents.filter(({ fresh }) => !fresh).map(({ key }) => key),
  );
  const present = incidents.flatMap(({ key, record }) =>
    record ? [{ key, record }] : [],
  );
  const linked = await linkedDeployments(
    sql,
    present.map(({ record }) => toLinkRow(record)),
  );

  const upserts: IncidentRow[] = [];
  const changed: { before?: KnownIncident; after?: IncidentRow }[] = [];
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
      changed.push({ before, after: row });
      markIncident(marks, [before, row], linked[index]);
    }
  }
  const gone = incidents.flatMap(({ key, record }) => {
    const before = known.get(key);
    return before && !record ? [before] : [];
  });
  const written = await sql.insertReturning({
    table: 'incidents',
    columns: INCIDENT_COLUMNS,
    rows: upserts,
    conflict: `(source, external_id) ${overwrite(INCIDENT_COLUMNS, [
      'public_id',
    ])}`,
    returning: KEY_AND_PUBLIC_ID,
  });
  for (const { source, external_id, public_id } of written) {
    publicIds.set(JSON.stringify([source, external_id]), public_id);
  }
  if (gone.length > 0) {
    await sql.execute(
      `DELETE FROM incidents WHERE id IN (SELECT id FROM ${sql.batch(
        'r',
        ID,
      )})`,
      gone.map(({ id }) => ({ id })),
    );
  }
  // What they named before is no longer theirs.
  const old = [...changed.flatMap(({ before }) => before ?? []), ...gone];
  const oldLinked = await linkedDeployments(sql, old);
  for (const [index, before] of old.entries()) {
    markIncident(marks, [before], oldLinked[index]);
  }
}
