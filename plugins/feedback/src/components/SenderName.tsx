import { useTranslationRef } from '@backstage/frontend-plugin-api';
import type { FeedbackSummary } from '../api/types';
import { feedbackTranslationRef } from '../translation';

/**
 * The sender of feedback; `withEmail` adds the address. A name that neither a session nor
 * a chat platform vouches for is marked.
 */
export function SenderName(props: {
  feedback: FeedbackSummary;
  withEmail?: boolean;
}) {
  const { feedback, withEmail = false } = props;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { userName, userEmail, isUserVerified } = feedback;
  const name = userName ?? userEmail;
  if (name === null) {
    return <>{t('list.anonymous')}</>;
  }
  const text =
    withEmail && userName && userEmail ? `${userName} (${userEmail})` : name;
  return <>{isUserVerified ? text : t('list.unverified', { name: text })}</>;
}
