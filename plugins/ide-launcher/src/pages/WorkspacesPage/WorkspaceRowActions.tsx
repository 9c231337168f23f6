import { useRef } from 'react';
import { useRouteRef, useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, ButtonIcon, Menu, MenuItem, MenuTrigger } from '@backstage/ui';
import {
  RiDeleteBinLine,
  RiExternalLinkLine,
  RiMore2Line,
  RiPlayLine,
  RiRestartLine,
  RiStopLine,
  RiTimeLine,
} from '@remixicon/react';
import type { WorkspaceListItem } from '@slipway/plugin-ide-launcher-common';
import { OpenIdeLink } from '../../components/WorkspaceState';
import { useWorkspacePermissions } from '../../queries';
import { openRouteRef } from '../../routes';
import { ideLauncherTranslationRef } from '../../translation';
import { useReportedActions } from '../../useReportedActions';
import styles from './WorkspaceTable.module.css';

/** A row's most likely action as a button, and all actions in a menu. */
export function WorkspaceRowActions(props: {
  workspace: WorkspaceListItem;
  /** Receives the element to focus afterwards. */
  onDelete: (openedFrom: HTMLElement | null) => void;
}) {
  const { workspace, onDelete } = props;
  const { name, status, workspaceId } = workspace;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const openPath = useRouteRef(openRouteRef);
  const menuButton = useRef<HTMLButtonElement>(null);
  const actions = useReportedActions(workspace);
  const { mayUpdate, mayDelete } = useWorkspacePermissions();
  const mayStart = mayUpdate && status === 'Stopped';
  const mayStop = mayUpdate && (status === 'Running' || status === 'Starting');
  const mayExtend = mayUpdate && workspace.stopsAt !== null;

  return (
    <div className={styles.buttons}>
      {mayUpdate && status === 'Running' && (
        <OpenIdeLink workspace={workspace} />
      )}
      {mayStart && (
        <Button
          size="small"
          variant="secondary"
          iconStart={<RiPlayLine aria-hidden />}
          isPending={actions.isPending}
          onPress={actions.start}
          aria-label={t('action.startNamed', { name })}
        >
          {t('action.start')}
        </Button>
      )}
      {(mayUpdate || mayDelete) && (
        <MenuTrigger>
          <ButtonIcon
            ref={menuButton}
            size="small"
            variant="tertiary"
            icon={<RiMore2Line aria-hidden />}
            aria-label={t('action.more', { name })}
          />
          <Menu aria-label={t('action.more', { name })} placement="bottom end">
            {mayUpdate ? (
              <MenuItem
                href={openPath?.({ workspaceId })}
                target="_blank"
                iconStart={<RiExternalLinkLine aria-hidden />}
              >
                {t('action.open')}
              </MenuItem>
            ) : null}
            {mayStart ? (
              <MenuItem
                iconStart={<RiPlayLine aria-hidden />}
                onAction={actions.start}
              >
                {t('action.start')}
              </MenuItem>
            ) : null}
            {mayStop ? (
              <MenuItem
                iconStart={<RiStopLine aria-hidden />}
                onAction={actions.stop}
              >
                {t('action.stop')}
              </MenuItem>
            ) : null}
            {mayStop && status === 'Running' ? (
              <MenuItem
                iconStart={<RiRestartLine aria-hidden />}
                onAction={actions.restart}
              >
                {t('action.restart')}
              </MenuItem>
            ) : null}
            {mayExtend ? (
              <MenuItem
                iconStart={<RiTimeLine aria-hidden />}
                onAction={actions.extend}
              >
                {t('action.extend')}
              </MenuItem>
            ) : null}
            {mayDelete ? (
              <MenuItem
                color="danger"
                iconStart={<RiDeleteBinLine aria-hidden />}
                onAction={() => onDelete(menuButton.current)}
              >
                {t('action.delete')}
              </MenuItem>
            ) : null}
          </Menu>
        </MenuTrigger>
      )}
    </div>
  );
}
