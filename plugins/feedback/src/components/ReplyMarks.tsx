import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { RiMessage2Line, RiReplyLine } from '@remixicon/react';
import { StatusBadge } from '@slipway/design-system';
import type { FeedbackSummary } from '../api/Feedback';
import { feedbackTranslationRef } from '../translation';
import styles from '../feedback.module.css';

/** Marks feedback whose sender is waiting for a reply. */
export function AwaitsReply() {
  const { t } = useTranslationRef(feedbackTranslationRef);
  return (
    <StatusBadge
      tone="warning"
      icon={RiReplyLine}
      label={t('thread.awaitsReply')}
    />
  );
}

/** Shows in a list how many replies there are, and whether the last one awaits a reply. */
export function ReplyMarks({ feedback }: { feedback: FeedbackSummary }) {
  const { replyCount, awaitsReply } = feedback;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const name = t('thread.count', { count: replyCount });
  return (
    <span className={styles.marks}>
      {awaitsReply && <AwaitsReply />}
      <span role="img" aria-label={name} title={name} className={styles.count}>
        <RiMessage2Line size={16} aria-hidden />
        {replyCount}
      </span>
    </span>
  );
}
