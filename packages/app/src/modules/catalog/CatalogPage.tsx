import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import {
  identityApiRef,
  pluginHeaderActionsApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import {
  catalogApiRef,
  starredEntitiesApiRef,
  useStarredEntities,
} from '@backstage/plugin-catalog-react';
import { ButtonLink } from '@backstage/ui';
import { RiAddLine, RiRefreshLine, RiStarLine } from '@remixicon/react';
import {
  SavedViews,
  useBulkChange,
  useErrorWords,
  useInOrder,
  useTitles,
} from '@slipway/app-react';
import {
  type BulkAction,
  DataTable,
  EmptyState,
  ErrorPanel,
  FilterBar,
  Page,
  PageHeader,
  useUrlColumns,
  useUrlFilters,
  useUrlSort,
} from '@slipway/design-system';
import { appTranslationRef } from '../../translation';
import { useLoaded } from '../../entities/useLoaded';
import { entityColumns } from './entityColumns';
import {
  type EntityRow,
  kindName,
  passes,
  toRow,
  valuesOf,
} from './entityFacts';
import type { ForeignConditions } from './ForeignFilters';
import { useCatalogEntities, useCatalogKinds } from './useCatalogEntities';

const ForeignFilters = lazy(() =>
  import('./ForeignFilters').then(m => ({ default: m.ForeignFilters })),
);

/** Props of {@link CatalogPage}. */
interface CatalogPageProps {
  /** `catalog` lists entities of the chosen kind, `apis` only APIs. */
  name: 'catalog' | 'apis';
  /** The id of the plugin that the page belongs to. */
  pluginId: string;
  /** Catalog filters of other plugins; undefined if there are none. */
  foreignFilters?: ReactNode;
}

const NO_CONDITIONS: ForeignConditions = { query: {}, isShown: () => true };

const DEFAULT_KIND = 'component';
/** The filters within a kind. */
const ANY = { q: '', show: '', type: '', lifecycle: '', owner: '', tag: '' };

/** Lists the entities of a kind, to filter, sort, star, refresh and export. */
export function CatalogPage(props: CatalogPageProps) {
  const { t } = useTranslationRef(appTranslationRef);
  const { foreignFilters, name, pluginId } = props;
  const title = t(`catalog.${name}.title`);
  const filters = useCatalogFilters();
  const kinds = useCatalogKinds();
  const kind = name === 'apis' ? 'api' : filters.values.kind;
  const [foreign, setForeign] = useState(NO_CONDITIONS);
  const entities = useCatalogEntities({
    kind,
    filter: foreign.query,
    hasAllFields: foreignFilters !== undefined,
  });
  const me = useMe();
  const all = useMemo(
    () => (entities.state === 'ready' ? entities.value.map(toRow) : undefined),
    [entities],
  );
  const rows = all?.filter(
    row => passes(row, filters.values, me) && foreign.isShown(row),
  );
  const columns = useMemo(() => entityColumns(t), [t]);
  const sort = useUrlSort(
    columns.filter(({ sortBy }) => sortBy).map(({ id }) => id),
    { column: 'name', direction: 'ascending' },
  );
  const headerActions = useApi(
    pluginHeaderActionsApiRef,
  ).getPluginHeaderActions(pluginId);
  const errorWords = useErrorWords();
  const owners = valuesOf(all ?? [], row => row.owners);
  const titleOf = useTitles(owners);
  const options = (
    values: readonly string[],
    label = (value: string) => value,
  ) => values.map(value => ({ value, label: label(value) }));
  return (
    <Page
      header={
        <PageHeader
          title={title}
          description={t(`catalog.${name}.description`)}
          action={
            <>
              {headerActions}
              <ButtonLink
                variant="primary"
                href="/catalog-import"
                iconStart={<RiAddLine size={16} />}
              >
                {t('catalog.register')}
              </ButtonLink>
            </>
          }
        />
      }
    >
      <FilterBar
        filters={filters}
        search={{ key: 'q', label: t('catalog.search') }}
        selects={[
          ...(name === 'apis'
            ? []
            : [
                {
                  key: 'kind' as const,
                  label: t('catalog.kind'),
                  isRequired: true as const,
                  options: options(
                    [...new Set([...kinds, kind])].sort(),
                    kindName,
                  ),
                },
              ]),
          {
            key: 'show',
            label: t('catalog.show'),
            anyLabel: t('catalog.everything'),
            options: [
              { value: 'owned', label: t('catalog.owned') },
              { value: 'starred', label: t('catalog.starred') },
            ],
          },
          {
            key: 'type',
            label: t('catalog.columns.type'),
            anyLabel: t('catalog.anyType'),
            options: options(valuesOf(all ?? [], row => row.type)),
          },
          {
            key: 'lifecycle',
            label: t('catalog.columns.lifecycle'),
            anyLabel: t('catalog.anyLifecycle'),
            options: options(valuesOf(all ?? [], row => row.lifecycle)),
          },
          {
            key: 'owner',
            label: t('catalog.columns.owner'),
            anyLabel: t('catalog.anyOwner'),
            options: options(owners, titleOf).sort((one, other) =>
              one.label.localeCompare(other.label),
            ),
          },
          {
            key: 'tag',
            label: t('catalog.tag'),
            anyLabel: t('catalog.anyTag'),
            options: options(valuesOf(all ?? [], row => row.tags)),
          },
        ]}
        count={
          rows && {
            shown: rows.length,
            total: all?.length ?? 0,
            noun: [t('catalog.nounOne'), t('catalog.nounMany')],
          }
        }
      >
        <SavedViews list={pluginId} />
      </FilterBar>
      {foreignFilters !== undefined && (
        <Suspense fallback={null}>
          <ForeignFilters
            kind={kind}
            filters={foreignFilters}
            onChange={setForeign}
          />
        </Suspense>
      )}
      <DataTable
        label={title}
        columns={columns}
        rows={rows}
        rowId={row => row.ref}
        sort={sort}
        columnChoice={useUrlColumns()}
        exportAs={`catalog-${kind}`}
        bulk={useBulkActions()}
        loading={t('catalog.loading')}
        failure={
          entities.state === 'failed' && (
            <ErrorPanel
              title={t('catalog.failed')}
              message={errorWords(entities.error)}
              onRetry={entities.retry}
            />
          )
        }
        empty={
          <EmptyState
            title={t(all?.length ? 'catalog.noneTitle' : 'catalog.emptyTitle')}
            description={t(
              all?.length
                ? 'catalog.noneDescription'
                : 'catalog.emptyDescription',
            )}
          />
        }
      />
    </Page>
  );
}

/** Returns the filters in the URL. Clearing them keeps the kind, which is not one of them. */
function useCatalogFilters() {
  const url = useUrlFilters({ kind: DEFAULT_KIND, ...ANY });
  const { isActive, clear } = useUrlFilters(ANY);
  const kind = url.values.kind.toLowerCase() || DEFAULT_KIND;
  return {
    ...url,
    values: { ...url.values, kind },
    isActive,
    clear,
    set: (key: keyof typeof url.values, value: string) =>
      url.setAll({
        [key]: value,
        // Each kind has its own types and lifecycles.
        ...(key === 'kind' && { type: '', lifecycle: '' }),
      }),
  };
}

/**
 * Returns the user's own reference and those of their groups, which may own entities, and the
 * references of starred entities.
 */
function useMe() {
  const identityApi = useApi(identityApiRef);
  const { starredEntities } = useStarredEntities();
  const identity = useLoaded(
    () => identityApi.getBackstageIdentity(),
    [identityApi],
  );
  return {
    owned: identity.state === 'ready' ? identity.value.ownershipEntityRefs : [],
    starred: starredEntities,
  };
}

function useBulkActions(): BulkAction<EntityRow>[] {
  const { t } = useTranslationRef(appTranslationRef);
  const catalogApi = useApi(catalogApiRef);
  const bulkChange = useBulkChange();
  const starApi = useApi(starredEntitiesApiRef);
  const { isStarredEntity } = useStarredEntities();
  const inOrder = useInOrder();
  // One after another, since each call writes the whole list of stars.
  const toggle = ({ ref }: EntityRow) =>
    inOrder(() => starApi.toggleStarred(ref));
  return [
    {
      id: 'star',
      label: t('catalog.bulkStar'),
      icon: <RiStarLine size={16} />,
      isFor: row => !isStarredEntity(row.ref),
      run: rows =>
        bulkChange(rows, {
          change: toggle,
          undo: toggle,
          done: count => t('catalog.starredNow', { count }),
          failed: count => t('catalog.starFailed', { count }),
        }),
    },
    {
      id: 'refresh',
      label: t('catalog.refresh'),
      icon: <RiRefreshLine size={16} />,
      run: rows =>
        bulkChange(rows, {
          change: ({ ref }) => catalogApi.refreshEntity(ref),
          done: count => t('catalog.refreshed', { count }),
          failed: count => t('catalog.refreshFailed', { count }),
        }),
    },
  ];
}
