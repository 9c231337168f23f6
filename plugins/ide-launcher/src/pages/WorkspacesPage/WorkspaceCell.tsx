import { useRouteRef, useTranslationRef } from '@backstage/frontend-plugin-api';
import { Cell, CellText, Link, Text } from '@backstage/ui';
import { RelativeTime } from '@slipway/design-system';
import type { WorkspaceListItem } from '@slipway/plugin-ide-launcher-common';
import { clockTime, fullTime } from '../../components/clockTime';
import { WorkspaceStatusBadge } from '../../components/WorkspaceStatusBadge';
import { workspaceRouteRef } from '../../routes';
import { ideLauncherTranslationRef } from '../../translation';
import { WorkspaceRowActions } from './WorkspaceRowActions';
import type { SortColumn } from './selectWorkspaces';
import styles from './WorkspaceTable.module.css';

/** Columns of the table; the first is the row's header, the last holds its buttons. */
export type WorkspaceColumn = SortColumn | 'actions';

/** One cell of the table of workspaces. */
export function WorkspaceCell(props: {
  column: WorkspaceColumn;
  workspace: WorkspaceListItem;
  isNarrow: boolean;
  /** Gets the element to which the focus belongs afterwards. */
  onDelete: (openedFrom: HTMLElement | null) => void;
}) {
  const { column, workspace, isNarrow, onDelete } = props;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const workspacePath = useRouteRef(workspaceRouteRef);
  switch (column) {
    case 'name': {
      const href = workspacePath?.({ workspaceId: workspace.workspaceId });
      return isNarrow ? (
        <Cell textValue={workspace.name}>
          <div className={styles.nameOnPhone}>
            <Link href={href} truncate>
              {workspace.name}
            </Link>
            <WorkspaceStatusBadge workspace={workspace} />
          </div>
        </Cell>
      ) : (
        <CellText title={workspace.name} href={href} />
      );
    }
    case 'status':
      return (
        <Cell textValue={workspace.status}>
          <span title={workspace.statusMessage ?? undefined}>
            <WorkspaceStatusBadge workspace={workspace} />
          </span>
        </Cell>
      );
    case 'editor':
      return <CellText title={workspace.editor?.title ?? t('field.none')} />;
    case 'devfile':
      return <CellText title={devfileTitle(workspace)} />;
    case 'lastUsed':
      return (
        <Cell textValue={workspace.lastUsed}>
          <Text>
            <RelativeTime value={workspace.lastUsed} />
          </Text>
        </Cell>
      );
    case 'stopsAt':
      return <StopsAtCell stopsAt={workspace.stopsAt} />;
    case 'actions':
      return (
        <Cell textValue={t('field.actions')}>
          <WorkspaceRowActions workspace={workspace} onDelete={onDelete} />
        </Cell>
      );
    default:
      return column satisfies never;
  }
}

function StopsAtCell({ stopsAt }: { stopsAt: string | null }) {
  if (!stopsAt) {
    return <Cell textValue="">{null}</Cell>;
  }
  return (
    <Cell textValue={stopsAt}>
      <Text>
        <time dateTime={stopsAt} title={fullTime(stopsAt)}>
          {clockTime(stopsAt)}
        </time>
      </Text>
    </Cell>
  );
}

function devfileTitle({ devfile }: WorkspaceListItem): string {
  return devfile.version ? `${devfile.name} ${devfile.version}` : devfile.name;
}
