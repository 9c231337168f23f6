import {
  type Entity,
  parseEntityRef,
  RELATION_OWNED_BY,
  RELATION_PART_OF,
  stringifyEntityRef,
} from '@backstage/catalog-model';
import { matchesWords, safeAddress } from '@slipway/app-react';
import { relatedRefs } from '../../entities/relatedRefs';

/** An entity as a row of the list. */
export interface EntityRow {
  ref: string;
  entity: Entity;
  /** The title, or else the name. */
  name: string;
  description: string | undefined;
  type: string | undefined;
  lifecycle: string | undefined;
  tags: readonly string[];
  /** Entity references. */
  owners: readonly string[];
  systems: readonly string[];
  /** URL of the source, outside of the portal. */
  sourceUrl: string | undefined;
}

/** Reads the row of an entity. */
export function toRow(entity: Entity): EntityRow {
  const { metadata, spec } = entity;
  const profile = spec?.profile as { displayName?: string } | undefined;
  return {
    ref: stringifyEntityRef(entity),
    entity,
    name: metadata.title ?? profile?.displayName ?? metadata.name,
    description: metadata.description,
    type: textOf(spec?.type),
    lifecycle: textOf(spec?.lifecycle),
    tags: metadata.tags ?? [],
    owners: relatedRefs(entity, RELATION_OWNED_BY),
    systems: relatedRefs(entity, RELATION_PART_OF, { kind: 'system' }),
    sourceUrl: safeAddress(metadata.annotations?.['backstage.io/view-url']),
  };
}

/** Returns the name within an entity reference. */
export function nameOf(ref: string): string {
  return parseEntityRef(ref).name;
}

/** Returns the display name of a kind given in lower case. */
export function kindName(kind: string): string {
  return kind === 'api' ? 'API' : kind[0].toUpperCase() + kind.slice(1);
}

/** The filters of the list, as stored in the URL. */
export interface EntityFilterValues {
  q: string;
  show: string;
  type: string;
  lifecycle: string;
  owner: string;
  tag: string;
}

/**
 * Checks whether a row passes the filters.
 * @param me.owned - references of the user and the user's groups.
 * @param me.starred - references of starred entities.
 */
export function passes(
  row: EntityRow,
  values: EntityFilterValues,
  me: { owned: readonly string[]; starred: ReadonlySet<string> },
): boolean {
  const { q, show, type, lifecycle, owner, tag } = values;
  return (
    matchesWords(q, [
      row.name,
      row.entity.metadata.name,
      row.description,
      ...row.tags,
    ]) &&
    (show !== 'owned' || row.owners.some(ref => me.owned.includes(ref))) &&
    (show !== 'starred' || me.starred.has(row.ref)) &&
    (type === '' || row.type === type) &&
    (lifecycle === '' || row.lifecycle === lifecycle) &&
    (owner === '' || row.owners.includes(owner)) &&
    (tag === '' || row.tags.includes(tag))
  );
}

/** Returns the distinct values of rows, sorted: the options of a filter. */
export function valuesOf(
  rows: readonly EntityRow[],
  read: (row: EntityRow) => readonly string[] | string | undefined,
): string[] {
  return [...new Set(rows.flatMap(row => read(row) ?? []))].sort();
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
