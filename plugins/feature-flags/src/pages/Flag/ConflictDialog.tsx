import type { ReactNode } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, DialogBody, DialogFooter } from '@backstage/ui';
import { OpenDialog } from '@slipway/design-system';
import { flagsTranslationRef } from '../../translation';
import styles from './Flag.module.css';

/** Shows the version that others have saved and the user's draft, before one of them is lost. */
export function ConflictDialog(props: {
  /** The name of the flag. */
  name: string;
  /** What the user edits, which decides the texts. */
  subject: 'rules' | 'settings';
  saved: ReactNode;
  draft: ReactNode;
  onOverwrite(): void;
  onDiscard(): void;
  onClose(): void;
}) {
  const { name, subject, saved, draft } = props;
  const { onOverwrite, onDiscard, onClose } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const savedLabel = t(`conflict.${subject}.saved`);
  return (
    <OpenDialog
      title={t(`conflict.${subject}.title`, { name })}
      width={640}
      onClose={onClose}
    >
      <DialogBody>
        <div className={styles.stack}>
          <p>{t(`conflict.${subject}.text`)}</p>
          <section aria-label={savedLabel}>
            <strong>{savedLabel}</strong>
            {saved}
          </section>
          <section aria-label={t('conflict.draft')}>
            <strong>{t('conflict.draft')}</strong>
            {draft}
          </section>
        </div>
      </DialogBody>
      <DialogFooter>
        <Button variant="secondary" onPress={onDiscard}>
          {t(`conflict.${subject}.discard`)}
        </Button>
        <Button variant="primary" destructive onPress={onOverwrite}>
          {t('conflict.overwrite')}
        </Button>
      </DialogFooter>
    </OpenDialog>
  );
}
