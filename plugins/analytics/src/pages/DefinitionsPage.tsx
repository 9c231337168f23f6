import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select } from '@backstage/ui';
import { QueryTable, SavedViews } from '@slipway/app-react';
import {
  type DataColumn,
  EmptyState,
  FilterBar,
  ListAndPanel,
  RelativeTime,
  StatusBadge,
  useUrlColumns,
  useUrlFilters,
  useUrlSort,
} from '@slipway/design-system';
import {
  type Definition,
  DEFINITION_KINDS,
  type DefinitionKind,
} from '../api/EventsApi';
import { useDefinitions } from '../definitions/definitionQueries';
import { DefinitionPanel } from '../definitions/DefinitionPanel';
import { formatCount } from '../insights/valueNames';
import { useProject } from '../projectQueries';
import { analyticsTranslationRef, type Translate } from '../translation';
import styles from '../analytics.module.css';

/** Lists the events and properties of a project by name; the URL identifies the open one. */
export function DefinitionsPage() {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { project } = useProject();
  const filters = useUrlFilters({ search: '' });
  const selection = useUrlFilters(
    { kind: 'event', definition: '' },
    { addsHistory: true },
  );
  const { search } = filters.values;
  const kind = kindOf(selection.values.kind);
  const sort = useUrlSort(['name', 'volume', 'seen', 'uses'], {
    column: 'volume',
    direction: 'descending',
  });
  const query = useDefinitions(project?.id, kind, search);
  const { data } = query;
  const opened = data?.definitions.find(
    ({ id }) => id === selection.values.definition,
  );
  return (
    <div className={styles.stack}>
      <FilterBar
        filters={filters}
        search={{ key: 'search', label: t('definitions.search') }}
        count={
          data && {
            shown: data.definitions.length,
            total: data.count,
            noun: [t('definitions.nounOne'), t('definitions.nounMany')],
          }
        }
      >
        <Select
          className={styles.filter}
          size="small"
          aria-label={t('definitions.kind')}
          value={kind}
          onChange={value => selection.set('kind', String(value))}
          options={DEFINITION_KINDS.map(value => ({
            value,
            label: t(`definitions.kinds.${value}`),
          }))}
        />
        <SavedViews list="definitions" />
      </FilterBar>
      <ListAndPanel
        panel={
          project &&
          opened && (
            <DefinitionPanel
              projectId={project.id}
              kind={kind}
              definition={opened}
              onClose={() => selection.set('definition', '')}
            />
          )
        }
      >
        <QueryTable
          tellsOutdated
          label={t(`definitions.kinds.${kind}`)}
          query={query}
          rowsOf={({ definitions }) => definitions}
          rowId={({ id }) => id}
          selectedId={opened?.id}
          onOpen={id => selection.set('definition', id)}
          columns={columnsOf(kind, t)}
          sort={sort}
          columnChoice={useUrlColumns()}
          exportAs={`definitions-${kind}`}
          loading={t('definitions.loading')}
          failed={t('definitions.failed')}
          empty={
            search ? (
              <p role="status">{t('definitions.none')}</p>
            ) : (
              <EmptyState
                title={t('definitions.emptyTitle')}
                description={t('definitions.emptyDescription')}
              />
            )
          }
        />
      </ListAndPanel>
    </div>
  );
}

function kindOf(name: string): DefinitionKind {
  return DEFINITION_KINDS.find(kind => kind === name) ?? 'event';
}

function columnsOf(
  kind: DefinitionKind,
  t: Translate,
): DataColumn<Definition>[] {
  return [
    {
      id: 'name',
      label: t('definitions.name'),
      text: ({ name }) => name,
      cell: ({ name }) => name,
      sortBy: ({ name }) => name,
    },
    ...(kind === 'event'
      ? []
      : [
          {
            id: 'type',
            label: t('definitions.type'),
            width: 100,
            from: 'sm' as const,
            csv: ({ property_type: type }: Definition) => type,
            cell: ({ property_type: type }: Definition) =>
              type ? t(`definitions.types.${type}`) : '–',
          },
        ]),
    {
      id: 'volume',
      label: t('definitions.volume'),
      isNumber: true,
      width: 140,
      cell: ({ volume_30_day: volume }) => formatCount(volume),
      sortBy: ({ volume_30_day: volume }) => volume,
    },
    {
      id: 'seen',
      label: t('people.lastSeen'),
      width: 130,
      from: 'xs',
      beside: false,
      csv: ({ last_seen_at: at }) => at,
      cell: ({ last_seen_at: at }) => <RelativeTime value={at} />,
      sortBy: ({ last_seen_at: at }) => Date.parse(at),
    },
    {
      id: 'uses',
      label: t('definitions.uses'),
      isNumber: true,
      width: 110,
      from: 'md',
      beside: false,
      cell: ({ used_by_insights: uses }) =>
        uses === 0 ? t('definitions.unused') : formatCount(uses),
      sortBy: ({ used_by_insights: uses }) => uses,
    },
    {
      id: 'owner',
      label: t('definitions.owner'),
      width: 140,
      from: 'lg',
      beside: false,
      csv: ({ owner }) => owner,
      cell: ({ owner }) => owner ?? '–',
    },
    {
      id: 'state',
      label: t('definitions.state'),
      width: 110,
      from: 'sm',
      beside: false,
      cell: definition => <State definition={definition} />,
    },
  ];
}

function State({ definition }: { definition: Definition }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  if (definition.hidden) {
    return <StatusBadge tone="neutral" label={t('definitions.hidden')} />;
  }
  return (
    definition.verified && (
      <StatusBadge tone="success" label={t('definitions.verified')} />
    )
  );
}
