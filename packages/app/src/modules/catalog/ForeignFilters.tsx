import { type ReactNode, useEffect } from 'react';
import {
  type EntityFilter,
  EntityKindFilter,
  EntityListProvider,
  useEntityList,
} from '@backstage/plugin-catalog-react';
import type { CatalogQuery } from './useCatalogEntities';
import type { EntityRow } from './entityFacts';
import styles from './CatalogPage.module.css';

/** The conditions set in the filters of other plugins. */
export interface ForeignConditions {
  /** The conditions that the catalog checks. */
  query: CatalogQuery;
  /** The conditions to check in the browser. */
  isShown(row: EntityRow): boolean;
}

/**
 * Renders the catalog filters of other plugins within the context that they expect, and
 * reports their conditions. The list itself handles the kind and the search.
 */
export function ForeignFilters(props: {
  kind: string;
  filters: ReactNode;
  onChange(conditions: ForeignConditions): void;
}) {
  return (
    <EntityListProvider pagination>
      <Bridge kind={props.kind} onChange={props.onChange} />
      <div className={styles.foreign}>{props.filters}</div>
    </EntityListProvider>
  );
}

function Bridge(props: {
  kind: string;
  onChange(conditions: ForeignConditions): void;
}) {
  const { kind, onChange } = props;
  const { filters, updateFilters } = useEntityList();
  useEffect(
    () => updateFilters({ kind: new EntityKindFilter(kind, kind) }),
    [kind, updateFilters],
  );
  useEffect(() => {
    const { kind: _kind, ...others } = filters;
    const given = Object.values(others) as (EntityFilter | undefined)[];
    const active = given.filter(filter => filter !== undefined);
    onChange({
      query: Object.assign(
        {},
        ...active.map(filter => filter.getCatalogFilters?.() ?? {}),
      ),
      isShown: ({ entity }) =>
        active.every(filter => filter.filterEntity?.(entity) ?? true),
    });
  }, [filters, onChange]);
  return null;
}
