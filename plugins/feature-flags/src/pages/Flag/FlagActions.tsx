import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Switch } from '@backstage/ui';
import { SendFailure, useErrorWords } from '@slipway/app-react';
import { ConfirmDialog } from '@slipway/design-system';
import type { Flag } from '../../api/types';
import { useArchiveFlag, useToggleFlag } from '../../data/useChanges';
import { flagsTranslationRef } from '../../translation';
import styles from './Flag.module.css';

/** Turns a flag on and off, takes it away and brings it back. */
export function FlagActions({ flag }: { flag: Flag }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const errorWords = useErrorWords();
  const [isAsking, setIsAsking] = useState(false);
  const toggle = useToggleFlag(flag.name);
  const archive = useArchiveFlag(flag.name);
  const error = toggle.error ?? archive.error;
  return (
    <div className={styles.actions}>
      {error && <SendFailure title={t('flag.changeFailed')} error={error} />}
      {flag.archived ? (
        <Button
          variant="secondary"
          isPending={archive.isPending}
          onPress={() => archive.mutate(false)}
        >
          {t('flag.revive')}
        </Button>
      ) : (
        <>
          <Switch
            label={t(flag.enabled ? 'flag.isOn' : 'flag.isOff')}
            // As it will be, until the answer says otherwise.
            isSelected={toggle.isPending ? toggle.variables : flag.enabled}
            isDisabled={toggle.isPending}
            onChange={enabled => toggle.mutate(enabled)}
          />
          <Button variant="secondary" onPress={() => setIsAsking(true)}>
            {t('flag.archive')}
          </Button>
        </>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t('flag.archiveTitle', { name: flag.name })}
        confirmLabel={t('flag.archiveConfirm')}
        describeError={errorWords}
        onConfirm={async () => {
          await archive.mutateAsync(true);
        }}
      >
        {t('flag.archiveText')}
      </ConfirmDialog>
    </div>
  );
}
