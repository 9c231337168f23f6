import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ButtonIcon, Menu, MenuItem, MenuTrigger } from '@backstage/ui';
import { RiMore2Line } from '@remixicon/react';
import { SendFailure, useErrorWords, useUndoToast } from '@slipway/app-react';
import { ConfirmDialog } from '@slipway/design-system';
import type { CleanUpFlag } from '../../api/cleanUp';
import { ArchiveText } from '../../components/ArchiveText';
import {
  useOpenIssue,
  useArchiveFlag,
  useUpdateFlag,
} from '../../queries/flags';
import { useMayChange } from '../../queries/access';
import { flagsTranslationRef } from '../../translation';

/** A menu with the actions that help the owner of a flag to remove it. */
export function CleanUpActions(props: {
  flag: CleanUpFlag;
  canOpenIssues: boolean;
}) {
  const { flag, canOpenIssues } = props;
  const { name, project, stale, issue } = flag;
  const { t } = useTranslationRef(flagsTranslationRef);
  const errorWords = useErrorWords();
  const mayChange = useMayChange(project);
  const openIssue = useOpenIssue(name);
  const update = useUpdateFlag(name);
  const archive = useArchiveFlag(name);
  const [isAsking, setIsAsking] = useState(false);
  const undoToast = useUndoToast();
  const markStale = () =>
    update.mutate(
      { stale: true },
      {
        onSuccess: () =>
          undoToast(t('bulk.markedStale', { count: 1 }), () =>
            update.mutate({ stale: false }),
          ),
      },
    );
  if (!mayChange) {
    return null;
  }
  return (
    <>
      <MenuTrigger>
        <ButtonIcon
          size="small"
          variant="tertiary"
          aria-label={t('cleanUp.actionsFor', { name })}
          icon={<RiMore2Line size={16} />}
          isPending={openIssue.isPending || update.isPending}
        />
        <Menu>
          {canOpenIssues && !issue && (
            <MenuItem onAction={() => openIssue.mutate(undefined)}>
              {t('cleanUp.openIssue')}
            </MenuItem>
          )}
          {!stale && (
            <MenuItem onAction={markStale}>{t('cleanUp.markStale')}</MenuItem>
          )}
          <MenuItem onAction={() => setIsAsking(true)}>
            {t('cleanUp.archive')}
          </MenuItem>
        </Menu>
      </MenuTrigger>
      {openIssue.error && (
        <SendFailure
          title={t('cleanUp.issueFailed', { name })}
          error={openIssue.error}
        />
      )}
      {update.error && (
        <SendFailure
          title={t('cleanUp.changeFailed', { name })}
          error={update.error}
        />
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t('flag.archiveTitle', { name })}
        confirmLabel={t('flag.archiveConfirm')}
        describeError={errorWords}
        onConfirm={async () => {
          await archive.mutateAsync(true);
        }}
      >
        <ArchiveText name={name} />
      </ConfirmDialog>
    </>
  );
}
