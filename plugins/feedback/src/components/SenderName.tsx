import { useTranslationRef } from '@backstage/frontend-plugin-api';
import type { Feedback, FeedbackSummary } from '../api/types';
import { feedbackTranslationRef } from '../translation';

/**
 * The sender of feedback; `withEmail` adds the address. A name that neither a session nor
 * a chat platform vouches for is marked.
 */
export function SenderName(props: {
  feedback: FeedbackSummary & Partial<Pick<Feedback, 'isAnonymous'>>;
  withEmail?: boolean;
}) {
  const { feedback, withEmail = false } = props;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { userName, userEmail, isAnonymous, isUserVerified } = feedback;
  const name =
    userName ?? t(isAnonymous === false ? 'list.unknown' : 'list.nobody');
  const text = withEmail && userEmail ? `${name} (${userEmail})` : name;
  const isClaimed = !isUserVerified && (userName ?? userEmail) !== null;
  return <>{isClaimed ? t('list.unverified', { name: text }) : text}</>;
}
