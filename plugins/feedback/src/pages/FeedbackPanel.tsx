import type { ReactNode } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ReadFailure } from '@slipway/app-react';
import { LoadingRows, SidePanel } from '@slipway/design-system';
import type { Feedback } from '../api/types';
import { FeedbackFacts } from '../components/FeedbackFacts';
import { StatusMark } from '../components/StatusMark';
import styles from '../components/components.module.css';
import { useFeedback } from '../data/useFeedback';
import { feedbackTranslationRef } from '../translation';

/** One piece of feedback beside its list. */
export function FeedbackPanel(props: {
  id: string;
  onClose(): void;
  /** Below the facts. */
  children?(feedback: Feedback): ReactNode;
}) {
  const { id, onClose, children } = props;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { data, error, isPending, refetch } = useFeedback(id);
  return (
    <SidePanel
      title={data?.category ?? t('list.message')}
      status={data && <StatusMark status={data.status} />}
      onClose={onClose}
    >
      <div className={styles.facts}>
        {isPending && <LoadingRows label={t('list.loading')} rows={4} />}
        {error && !data && (
          <ReadFailure
            title={t('list.failed')}
            error={error}
            onRetry={() => refetch()}
          />
        )}
        {data && <FeedbackFacts feedback={data} />}
        {data && children?.(data)}
      </div>
    </SidePanel>
  );
}
