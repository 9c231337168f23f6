import type { PeopleRows } from '../../people/storage/PersonStore.ts';
import { propertyMaps } from '../propertyMaps.ts';
import { TABLES } from './clickhouseTables.ts';
import { clickhouseTime } from './clickhouseValue.ts';

/** Converts rows of persons for the tables of a column store, by table. */
export function peopleColumns({
  persons,
  ids,
  groups,
}: PeopleRows): { table: string; rows: object[] }[] {
  const withMaps = (row: {
    properties: string;
    created_at: number | string;
  }) => ({
    properties: row.properties,
    ...propertyMaps(row.properties),
    created_at: clickhouseTime(Number(row.created_at)),
  });
  const tables = {
    [TABLES.persons]: persons.map(row => ({
      project_id: row.project_id,
      person: row.person,
      version: Number(row.version),
      ...withMaps(row),
    })),
    [TABLES.personIds]: ids.map(row => ({
      project_id: row.project_id,
      distinct_id: row.distinct_id,
      person: row.person,
      version: Number(row.version),
    })),
    [TABLES.groups]: groups.map(row => ({
      project_id: row.project_id,
      type: row.type,
      key: row.key,
      version: Number(row.version),
      ...withMaps(row),
    })),
  };
  return Object.entries(tables)
    .filter(([, rows]) => rows.length > 0)
    .map(([table, rows]) => ({ table, rows }));
}
