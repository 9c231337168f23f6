import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import type { DataColumn } from '@slipway/design-system';
import { appReactTranslationRef } from '../translation';
import type { NamedEntity } from './components';

/** A list narrowed to what belongs to some components. */
export interface ListOfComponents<T> {
  includes(row: T): boolean;
  /** Names the components of each row; missing if there is only one anyway. */
  column?: DataColumn<T>;
}

/**
 * Returns how to narrow a list to the components of an entity.
 *
 * @param options.belongs - whether a row belongs to a component.
 * @param options.pathOf - the path of an entity's page; names are plain text without it.
 */
export function useListOfComponents<T>(
  entity: NamedEntity,
  options: {
    components: readonly NamedEntity[];
    belongs(row: T, component: NamedEntity): boolean;
    pathOf:
      | ((ref: { kind: string; namespace: string; name: string }) => string)
      | undefined;
  },
): ListOfComponents<T> {
  const { components, belongs, pathOf } = options;
  const { t } = useTranslationRef(appReactTranslationRef);
  const owners = (row: T) => components.filter(each => belongs(row, each));
  const textOf = (row: T) => owners(row).map(titleOf).join(', ');
  const isOne = entity.kind.toLocaleLowerCase('en-US') === 'component';
  return {
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
}

function titleOf({ metadata: { title, name } }: NamedEntity): string {
  return title ?? name;
}
