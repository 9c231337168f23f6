import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import { Details, RelativeTime } from '@slipway/design-system';
import type { Feedback } from '../api/types';
import { useLinks } from '../data/useLinks';
import { feedbackTranslationRef } from '../translation';
import styles from './components.module.css';
import { Screenshot } from './Screenshot';
import { SenderName } from './SenderName';
import { SentimentMark } from './SentimentMark';

/** What somebody said, and all that is known about it. */
export function FeedbackFacts({ feedback }: { feedback: Feedback }) {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { rating, isRatingGuessed, issue, page } = feedback;
  return (
    <>
      <p className={styles.message}>{feedback.message}</p>
      {feedback.hasScreenshot && <Screenshot id={feedback.id} />}
      <Details
        items={[
          {
            label: t('list.rating'),
            value: t(isRatingGuessed ? 'list.guessed' : 'list.stars', {
              rating: String(rating),
            }),
          },
          { label: t('list.category'), value: feedback.category },
          {
            label: t('list.sentiment'),
            value: <SentimentMark sentiment={feedback.sentiment} />,
          },
          {
            label: t('detail.priority'),
            value: t(`priority.${feedback.priority}`),
          },
          {
            label: t('list.sender'),
            value: <SenderName feedback={feedback} withEmail />,
          },
          {
            label: t('list.created'),
            value: <RelativeTime value={feedback.createdAt} />,
          },
          ...(page ? [{ label: t('detail.page'), value: page }] : []),
          ...(issue
            ? [{ label: t('detail.issue'), value: <IssueLink issue={issue} /> }]
            : []),
        ]}
      />
    </>
  );
}

/** Issues of the embedded tracker have a page here; others are elsewhere. */
function IssueLink({ issue }: { issue: NonNullable<Feedback['issue']> }) {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const links = useLinks();
  const isHere = issue.tracker === 'embedded';
  return (
    <Link
      href={isHere ? links.issue(issue.number) : issue.url}
      {...(!isHere && { target: '_blank', rel: 'noopener noreferrer' })}
    >
      {t('detail.issueNumber', { number: String(issue.number) })}
    </Link>
  );
}
