import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, DialogBody, DialogFooter } from '@backstage/ui';
import { OpenDialog } from '@slipway/design-system';
import type { Strategy } from '../../api/flags';
import { flagsTranslationRef } from '../../translation';
import { strategyText } from './strategies';
import styles from './Flag.module.css';

/** Shows the rules that others have saved and those of a draft, before one of them is lost. */
export function ConflictDialog(props: {
  name: string;
  saved: readonly Strategy[];
  draft: readonly Strategy[];
  onOverwrite(): void;
  onDiscard(): void;
  onClose(): void;
}) {
  const { name, saved, draft, onOverwrite, onDiscard, onClose } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const rules = (strategies: readonly Strategy[]) =>
    strategies.length === 0 ? (
      <p>{t('conflict.everyone')}</p>
    ) : (
      <ul>
        {strategies.map((strategy, index) => (
          <li key={index}>{strategyText(strategy)}</li>
        ))}
      </ul>
    );
  return (
    <OpenDialog
      title={t('conflict.title', { name })}
      width={640}
      onClose={onClose}
    >
      <DialogBody>
        <div className={styles.stack}>
          <p>{t('conflict.text')}</p>
          <section aria-label={t('conflict.saved')}>
            <strong>{t('conflict.saved')}</strong>
            {rules(saved)}
          </section>
          <section aria-label={t('conflict.draft')}>
            <strong>{t('conflict.draft')}</strong>
            {rules(draft)}
          </section>
        </div>
      </DialogBody>
      <DialogFooter>
        <Button variant="secondary" onPress={onDiscard}>
          {t('conflict.discard')}
        </Button>
        <Button variant="primary" destructive onPress={onOverwrite}>
          {t('conflict.overwrite')}
        </Button>
      </DialogFooter>
    </OpenDialog>
  );
}
