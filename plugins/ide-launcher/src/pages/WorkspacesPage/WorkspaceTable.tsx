import { useMemo, useState } from 'react';
import { useRouteRef, useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  Button,
  Column,
  Row,
  TableBody,
  TableHeader,
  TableRoot,
  useBreakpoint,
} from '@backstage/ui';
import {
  EmptyState,
  FilterBar,
  TableFrame,
  useUrlFilters,
} from '@slipway/design-system';
import type { WorkspaceListItem } from '@slipway/plugin-ide-launcher-common';
import { DeleteWorkspaceDialog } from '../../components/DeleteWorkspaceDialog';
import { DISPLAY_STATUSES } from '../../data/displayStatus';
import { workspaceRouteRef } from '../../routes';
import { ideLauncherTranslationRef } from '../../translation';
import {
  SORT_COLUMNS,
  formatOrder,
  parseOrder,
  selectWorkspaces,
} from './selectWorkspaces';
import { WorkspaceCell, type WorkspaceColumn } from './WorkspaceCell';
import styles from './WorkspaceTable.module.css';

const ALL_COLUMNS: WorkspaceColumn[] = [
  'name',
  'status',
  'editor',
  'devfile',
  'lastUsed',
  'stopsAt',
  'actions',
];
const COLUMNS_BELOW_1024: WorkspaceColumn[] = [
  'name',
  'status',
  'lastUsed',
  'actions',
];
/** On a phone the name's cell holds the status too. */
const COLUMNS_BELOW_640: WorkspaceColumn[] = ['name', 'actions'];

/** The list as a table, filtered and sorted as the URL says. */
export function WorkspaceTable(props: {
  workspaces: readonly WorkspaceListItem[];
}) {
  const { workspaces } = props;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const workspacePath = useRouteRef(workspaceRouteRef);
  const { up } = useBreakpoint();
  const filters = useUrlFilters({ q: '', status: '' });
  const sorting = useUrlFilters({ sort: '' });
  const [deleting, setDeleting] = useState<{
    workspace: WorkspaceListItem;
    openedFrom: HTMLElement | null;
  }>();

  const { q, status } = filters.values;
  const { sort } = sorting.values;
  const order = parseOrder(sort);
  const rows = useMemo(
    () =>
      selectWorkspaces(workspaces, {
        search: q,
        status,
        order: parseOrder(sort),
      }),
    [workspaces, q, status, sort],
  );
  const isWide = up('md');
  const isNarrow = !up('xs');
  const columns = useMemo(() => {
    const belowWide = isNarrow ? COLUMNS_BELOW_640 : COLUMNS_BELOW_1024;
    return (isWide ? ALL_COLUMNS : belowWide).map(id => ({ id }));
  }, [isWide, isNarrow]);

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
      />
      {rows.length === 0 ? (
        <EmptyState
          title={t('list.noMatchTitle')}
          description={t('list.noMatchDescription')}
          action={
            <Button variant="secondary" onPress={filters.clear}>
              {t('list.clear')}
            </Button>
          }
        />
      ) : (
        <TableFrame>
          <TableRoot
            aria-label={t('list.label')}
            sortDescriptor={order}
            onSortChange={({ column, direction }) => {
              const next = SORT_COLUMNS.find(candidate => candidate === column);
              if (next) {
                sorting.set('sort', formatOrder({ column: next, direction }));
              }
            }}
          >
            <TableHeader columns={columns}>
              {({ id }) => (
                <Column
                  id={id}
                  isRowHeader={id === 'name'}
                  allowsSorting={id !== 'actions'}
                  className={styles[id]}
                >
                  {t(`field.${id}`)}
                </Column>
              )}
            </TableHeader>
            <TableBody items={rows} dependencies={[columns, t]}>
              {workspace => (
                <Row
                  id={workspace.workspaceId}
                  columns={columns}
                  href={workspacePath?.({ workspaceId: workspace.workspaceId })}
                >
                  {({ id }: { id: WorkspaceColumn }) => (
                    <WorkspaceCell
                      column={id}
                      workspace={workspace}
                      isNarrow={isNarrow}
                      onDelete={openedFrom =>
                        setDeleting({ workspace, openedFrom })
                      }
                    />
                  )}
                </Row>
              )}
            </TableBody>
          </TableRoot>
        </TableFrame>
      )}
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
