import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import type { AutomationResult } from '../../api/types';
import { useRunAutomation } from '../../data/useChanges';
import { feedbackTranslationRef } from '../../translation';
import styles from './Triage.module.css';

/** Makes issues of what is validated, and says what came of it. */
export function RunAutomation() {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { mutate, data, error, isPending } = useRunAutomation();
  return (
    <>
      {error && <SendFailure title={t('triage.runFailed')} error={error} />}
      <div className={styles.run}>
        <Button
          size="small"
          variant="secondary"
          isPending={isPending}
          onPress={() => mutate()}
        >
          {t('triage.run')}
        </Button>
        <span className={styles.quiet} role="status">
          {data ? <Outcome result={data} /> : t('triage.runHelp')}
        </span>
      </div>
    </>
  );
}

function Outcome({ result }: { result: AutomationResult }) {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { created, errors } = result;
  if (created.length === 0 && errors.length === 0) {
    return <>{t('triage.ranNothing')}</>;
  }
  return (
    <>
      {created.length > 0 && t('triage.ran', { made: String(created.length) })}
      {errors.length > 0 &&
        ` ${t('triage.ranFailed', {
          missed: String(errors.length),
          message: errors[0].message,
        })}`}
    </>
  );
}
