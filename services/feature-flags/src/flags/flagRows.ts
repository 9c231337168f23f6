import type { Flag } from './Flag.ts';

/** A flag as it is stored, joined with its environment. PostgreSQL answers bigints as text. */
export interface FlagRow {
  name: string;
  project: string;
  type: string;
  description: string;
  stale: boolean | number;
  impression_data: boolean | number;
  created_at: number | string;
  updated_at: number | string;
  archived_at: number | string | null;
  enabled: boolean | number | null;
  strategies: string | null;
  variants: string | null;
}

/** A flag that has no row for the environment is off in it. */
export function toFlag(row: FlagRow): Flag {
  return {
    name: row.name,
    project: row.project,
    type: row.type,
    description: row.description,
    enabled: Boolean(row.enabled),
    stale: Boolean(row.stale),
    impressionData: Boolean(row.impression_data),
    strategies: JSON.parse(row.strategies ?? '[]'),
    variants: JSON.parse(row.variants ?? '[]'),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    archivedAt: row.archived_at === null ? null : Number(row.archived_at),
  };
}

/** What is the same in all environments. */
export function flagColumns(flag: Flag, revision: number) {
  return {
    name: flag.name,
    project: flag.project,
    type: flag.type,
    description: flag.description,
    stale: flag.stale,
    impression_data: flag.impressionData,
    created_at: flag.createdAt,
    updated_at: flag.updatedAt,
    archived_at: flag.archivedAt,
    revision,
  };
}

/** What each environment has of its own. */
export function environmentColumns(flag: Flag, environment: string) {
  return {
    flag_name: flag.name,
    environment,
    enabled: flag.enabled,
    strategies: JSON.stringify(flag.strategies),
    variants: JSON.stringify(flag.variants),
  };
}
