import { v7 as uuid } from 'uuid';
import { IncidentRecord } from '../../events/foldIncident';
import { NullableRowOf, RowOf } from '../sql/BatchSql';

/** What of an incident is the sender's word, and what it comes to at once. */
export const INCIDENT_COLUMNS = {
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
  url: 'text',
  revision: 'bigint',
} as const;

type Required = Pick<
  RowOf<typeof INCIDENT_COLUMNS>,
  'public_id' | 'source' | 'external_id' | 'started_at'
>;

/** A row of `incidents` without what is derived later. */
export type IncidentRow = Omit<
  NullableRowOf<typeof INCIDENT_COLUMNS>,
  keyof Required
> &
  Required;

/** The columns by which an incident names its deployment. */
export type LinkRow = Pick<
  IncidentRow,
  'link_source' | 'link_external_id' | 'link_id' | 'link_sha'
>;

/** Makes the columns of a link. */
export function toLinkRow({ link }: IncidentRecord): LinkRow {
  return {
    link_source: link?.source ?? null,
    link_external_id: link?.externalId ?? null,
    link_id: link?.id ?? null,
    link_sha: link?.sha ?? null,
  };
}

/** Makes the row of an incident. */
export function toIncidentRow(
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
    url: record.url,
    revision: record.revision,
  };
}
