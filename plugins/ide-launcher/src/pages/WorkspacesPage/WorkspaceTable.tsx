import { useMemo, useState } from 'react';
import { useRouteRef, useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Link, useBreakpoint } from '@backstage/ui';
import { SavedViews } from '@slipway/app-react';
import {
  type DataColumn,
  DataTable,
  EmptyState,
  FilterBar,
  formatAbsolute,
  formatMoment,
  RelativeTime,
  useUrlColumns,
  useUrlFilters,
  useUrlSort,
} from '@slipway/design-system';
import type { WorkspaceListItem } from '@slipway/plugin-ide-launcher-common';
import { DeleteWorkspaceDialog } from '../../components/DeleteWorkspaceDialog';
import {
  DISPLAY_STATUSES,
  WorkspaceStatusBadge,
} from '../../components/WorkspaceState';
import { workspaceRouteRef } from '../../routes';
import { ideLauncherTranslationRef, type Translate } from '../../translation';
import { WorkspaceRowActions } from './WorkspaceRowActions';
import { selectWorkspaces, SORT_BY } from './selectWorkspaces';
import { useBulkWorkspaces } from './useBulkWorkspaces';
import { useSteadyOrder } from './useSteadyOrder';
import styles from './WorkspaceTable.module.css';

/**
 * Shows the workspaces as a table, filtered and sorted according to the URL.
 *
 * @param props.component - the column with the component of each workspace, for lists of several components.
 */
export function WorkspaceTable(props: {
  workspaces: readonly WorkspaceListItem[];
  component?: DataColumn<WorkspaceListItem>;
}) {
  const { workspaces, component } = props;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const workspacePath = useRouteRef(workspaceRouteRef);
  const { up } = useBreakpoint();
  const isPhone = !up('xs');
  const bulk = useBulkWorkspaces();
  const filters = useUrlFilters({ q: '', status: '' });
  const sort = useUrlSort([...Object.keys(SORT_BY), 'component']);
  const [deleting, setDeleting] = useState<{
    workspace: WorkspaceListItem;
    openedFrom: HTMLElement | null;
  }>();
  const { q, status } = filters.values;
  const selected = useMemo(
    () => selectWorkspaces(workspaces, { search: q, status }),
    [workspaces, q, status],
  );
  const rows = useSteadyOrder(selected, `${status} ${q}`);
  const hrefOf = ({ workspaceId }: WorkspaceListItem) =>
    workspacePath?.({ workspaceId });
  return (
    <>
      <FilterBar
        filters={filters}
        search={{ key: 'q', label: t('list.search') }}
        selects={[
          {
            key: 'status',
            label: t('field.status'),
            anyLabel: t('list.anyStatus'),
            options: DISPLAY_STATUSES.map(value => ({
              value,
              label: t(`status.${value}`),
            })),
          },
        ]}
        count={{
          shown: rows.length,
          total: workspaces.length,
          noun: [t('list.nounOne'), t('list.nounMany')],
        }}
      >
        <SavedViews list="workspaces" />
      </FilterBar>
      <DataTable
        label={t('list.label')}
        rows={rows}
        rowId={({ workspaceId }) => workspaceId}
        hrefOf={hrefOf}
        sort={sort}
        columnChoice={useUrlColumns()}
        exportAs="workspaces"
        // On a phone, the boxes would leave no room for names.
        bulk={isPhone ? undefined : bulk}
        columns={[
          ...columnsOf(t, { hrefOf, isPhone, component }),
          {
            id: 'actions',
            label: t('field.actions'),
            width: 170,
            cell: workspace => (
              <WorkspaceRowActions
                workspace={workspace}
                onDelete={openedFrom => setDeleting({ workspace, openedFrom })}
              />
            ),
          },
        ]}
        empty={
          <EmptyState
            title={t('list.noMatchTitle')}
            description={t('list.noMatchDescription')}
            action={
              <Button variant="secondary" onPress={filters.clear}>
                {t('list.clear')}
              </Button>
            }
          />
        }
      />
      {deleting && (
        <DeleteWorkspaceDialog
          workspace={deleting.workspace}
          returnFocusTo={deleting.openedFrom}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}

/** Returns all columns except the buttons; the name uses the remaining width. */
function columnsOf(
  t: Translate,
  options: {
    hrefOf(workspace: WorkspaceListItem): string | undefined;
    /** On a phone, the name's cell also contains the status. */
    isPhone: boolean;
    component?: DataColumn<WorkspaceListItem>;
  },
): DataColumn<WorkspaceListItem>[] {
  const { hrefOf, isPhone, component } = options;
  return [
    {
      id: 'name',
      label: t('field.name'),
      sortBy: SORT_BY.name,
      text: ({ name }) => name,
      cell: workspace => (
        <div className={styles.name}>
          <Link href={hrefOf(workspace)} truncate>
            {workspace.name}
          </Link>
          {isPhone && <WorkspaceStatusBadge workspace={workspace} />}
        </div>
      ),
    },
    ...(component ? [component] : []),
    {
      id: 'status',
      label: t('field.status'),
      width: 116,
      from: 'xs',
      sortBy: SORT_BY.status,
      cell: workspace => (
        <span title={workspace.statusMessage ?? undefined}>
          <WorkspaceStatusBadge workspace={workspace} />
        </span>
      ),
    },
    {
      id: 'editor',
      label: t('field.editor'),
      width: 180,
      from: 'md',
      sortBy: SORT_BY.editor,
      cell: ({ editor }) => editor?.title ?? t('field.none'),
    },
    {
      id: 'devfile',
      label: t('field.devfile'),
      width: '18%',
      from: 'md',
      sortBy: SORT_BY.devfile,
      cell: ({ devfile: { name, version } }) =>
        version ? `${name} ${version}` : name,
    },
    {
      id: 'lastUsed',
      label: t('field.lastUsed'),
      width: 140,
      from: 'xs',
      sortBy: SORT_BY.lastUsed,
      cell: ({ lastUsed }) => <RelativeTime value={lastUsed} />,
    },
    {
      id: 'stopsAt',
      label: t('field.stopsAt'),
      width: 116,
      from: 'md',
      sortBy: SORT_BY.stopsAt,
      cell: ({ stopsAt }) =>
        stopsAt && (
          <time dateTime={stopsAt} title={formatAbsolute(Date.parse(stopsAt))}>
            {formatMoment(Date.parse(stopsAt))}
          </time>
        ),
    },
  ];
}
