import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ReadFailure } from '@slipway/app-react';
import { LoadingRows, Panel } from '@slipway/design-system';
import type { LoadReceipt } from '../../api/types';
import { useAssessmentForm } from '../../data/useAssessmentForm';
import { spaceTranslationRef } from '../../translation';
import { LoadForm } from './LoadForm';
import { LoadSent } from './LoadSent';

/** The assessment of cognitive load, as the service asks it. */
export function TaskLoadPage() {
  const { t } = useTranslationRef(spaceTranslationRef);
  const { data: form, error, isPending, refetch } = useAssessmentForm();
  const [receipt, setReceipt] = useState<LoadReceipt>();
  if (receipt) {
    return <LoadSent receipt={receipt} onAgain={() => setReceipt(undefined)} />;
  }
  return (
    <Panel title={form?.title ?? t('load.title')}>
      {isPending && <LoadingRows label={t('load.loading')} rows={6} />}
      {error && !form && (
        <ReadFailure
          title={t('load.failed')}
          error={error}
          onRetry={() => refetch()}
        />
      )}
      {form && <LoadForm form={form} onSent={setReceipt} />}
    </Panel>
  );
}
