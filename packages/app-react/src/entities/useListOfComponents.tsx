import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import type { DataColumn } from '@slipway/design-system';
import { appReactTranslationRef } from '../translation';
import type { UseQueryResult } from '@tanstack/react-query';
import {
  type CatalogLike,
  type NamedEntity,
  useComponentsOf,
} from './components';

/** A list narrowed to what belongs to some components. */
export interface ListOfComponents<T> {
  includes(row: T): boolean;
  /** Names the components of each row; missing if there is only one anyway. */
  column?: DataColumn<T>;
}

/**
 * Reads the components of an entity, and returns them with how to narrow a list to them.
 *
 * @param options.catalog - undefined if the app has none: only a component is known then.
 * @param options.belongs - whether a row belongs to a component.
 * @param options.pathOf - the path of an entity's page; names are plain text without it.
 */
export function useListOfComponents<T>(
  entity: NamedEntity,
  options: {
    catalog: CatalogLike | undefined;
    belongs(row: T, component: NamedEntity): boolean;
    pathOf:
      | ((ref: { kind: string; namespace: string; name: string }) => string)
      | undefined;
  },
): {
  components: UseQueryResult<readonly NamedEntity[]>;
  list: ListOfComponents<T>;
} {
  const { catalog, belongs, pathOf } = options;
  const { t } = useTranslationRef(appReactTranslationRef);
  const components = useComponentsOf(entity, catalog);
  const owners = (row: T) =>
    (components.data ?? []).filter(each => belongs(row, each));
  const textOf = (row: T) => owners(row).map(titleOf).join(', ');
  const isOne = entity.kind.toLocaleLowerCase('en-US') === 'component';
  const list: ListOfComponents<T> = {
    includes: row => owners(row).length > 0,
    column: isOne
      ? undefined
      : {
          id: 'component',
          label: t('entity.component'),
          width: '14%',
          from: 'sm',
          sortBy: textOf,
          csv: textOf,
          cell: row =>
            owners(row).map((component, index) => {
              const { kind, metadata } = component;
              const { namespace = 'default', name } = metadata;
              const href = pathOf?.({ kind, namespace, name });
              return (
                <span key={`${namespace}/${name}`}>
                  {index > 0 && ', '}
                  {href ? (
                    <Link href={href}>{titleOf(component)}</Link>
                  ) : (
                    titleOf(component)
                  )}
                </span>
              );
            }),
        },
  };
  return { components, list };
}

function titleOf({ metadata: { title, name } }: NamedEntity): string {
  return title ?? name;
}
