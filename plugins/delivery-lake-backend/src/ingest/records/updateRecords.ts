import { ServiceDirectory } from '../../catalog/ServiceDirectory';
import { BatchSql } from '../sql/BatchSql';
import { EventLog, mapKey, RecordName } from '../sql/EventLog';
import { DirtyMarks } from './DirtyMarks';
import { Folded, FoldedRecords, foldTouched, Touched } from './Folded';
import { incidentsLinkingTo } from './incidentLinks';
import { markDeployments } from './markDeployments';
import { moveHeads } from './moveHeads';
import { Names } from './Names';
import { changeKeyParts, writeChanges } from './writeChanges';
import { writeDeployments } from './writeDeployments';
import { writeIncidents } from './writeIncidents';
import { IncidentRecord } from '../../events/foldIncident';

const SERVICE_REPOSITORY = {
  repository_id: 'integer',
  service_id: 'integer',
} as const;

/** What became of the records. */
export interface UpdatedRecords {
  /** Public ids of the deployments and incidents that there are, by {@link mapKey}. */
  publicIds: ReadonlyMap<string, string>;
  /** Whether something must be derived again. */
  marked: boolean;
}

async function resolveNames(names: Names, folded: FoldedRecords) {
  const { changes, deployments, incidents } = folded;
  return {
    services: await names.services(
      [...deployments, ...incidents].flatMap(
        ({ record }) => record?.service ?? [],
      ),
    ),
    repositories: await names.repositories([
      ...changes.map(({ key }) => changeKeyParts(key)[0]),
      ...deployments.flatMap(({ record }) => record?.repository ?? []),
    ]),
  };
}

type ResolvedNames = Awaited<ReturnType<typeof resolveNames>>;

async function linkServicesToRepositories(
  sql: BatchSql,
  { deployments }: FoldedRecords,
  { services, repositories }: ResolvedNames,
): Promise<void> {
  const pairs = new Map<
    string,
    { repository_id: number; service_id: number }
  >();
  for (const { record } of deployments) {
    if (record && record.repository !== null) {
      const repository_id = repositories.get(record.repository)!;
      const service_id = services.get(record.service)!;
      pairs.set(`${repository_id} ${service_id}`, {
        repository_id,
        service_id,
      });
    }
  }
  await sql.insert({
    table: 'service_repositories',
    columns: SERVICE_REPOSITORY,
    rows: [...pairs.values()],
    conflict: 'DO NOTHING',
  });
}

/** Incidents without a service of their own that get it from these deployments. */
async function dependentIncidents(
  sql: BatchSql,
  keys: string[],
  except: Folded<IncidentRecord>[],
): Promise<Folded<IncidentRecord>[]> {
  const touched = new Set(except.map(({ key }) => key));
  const names = keys
    .filter(key => !touched.has(key))
    .map((key): RecordName => ({ kind: 'incident', key }));
  const known = await new EventLog(sql).of(names);
  return foldTouched(
    names.map(name => ({
      ...name,
      events: known.get(mapKey(name)) ?? [],
      fresh: false,
    })),
  ).incidents.filter(({ record }) => record?.service === null);
}

/**
 * Makes the records of these keys, and what hangs on them in other records, equal
 * to what all known events say, and marks what must be derived again.
 *
 * @param options.sql - inside {@link ingestTransaction}.
 */
export async function updateRecords(options: {
  sql: BatchSql;
  directory: ServiceDirectory;
  touched: Touched[];
}): Promise<UpdatedRecords> {
  const { sql, directory, touched } = options;
  const marks = new DirtyMarks();
  const folded = foldTouched(touched);
  const resolved = await resolveNames(new Names({ sql, directory }), folded);
  await linkServicesToRepositories(sql, folded, resolved);

  const moved = await writeChanges({
    sql,
    changes: folded.changes.filter(({ fresh, record }) => record ?? !fresh),
    repositories: resolved.repositories,
  });
  await moveHeads({ sql, marks, shifts: moved });

  const deploymentIds = new Map<string, string>();
  const shifts = await writeDeployments({
    sql,
    deployments: folded.deployments,
    ...resolved,
    publicIds: deploymentIds,
  });
  await markDeployments({ sql, marks, shifts });

  const incidentIds = new Map<string, string>();
  const dependent = await dependentIncidents(
    sql,
    await incidentsLinkingTo(sql, shifts),
    folded.incidents,
  );
  await writeIncidents({
    sql,
    marks,
    incidents: [...folded.incidents, ...dependent],
    services: resolved.services,
    publicIds: incidentIds,
  });

  const named = (kind: RecordName['kind'], ids: Map<string, string>) =>
    [...ids].map(([key, id]) => [mapKey({ kind, key }), id] as const);
  return {
    publicIds: new Map([
      ...named('deployment', deploymentIds),
      ...named('incident', incidentIds),
    ]),
    marked: await marks.write(sql),
  };
}
