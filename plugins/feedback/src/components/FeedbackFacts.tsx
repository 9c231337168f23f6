import {
  type CompoundEntityRef,
  parseEntityRef,
} from '@backstage/catalog-model';
import { useRouteRef, useTranslationRef } from '@backstage/frontend-plugin-api';
import { entityRouteRef } from '@backstage/plugin-catalog-react';
import { Link } from '@backstage/ui';
import {
  RiEmotionLine,
  RiEmotionNormalLine,
  RiEmotionUnhappyLine,
} from '@remixicon/react';
import { safeAddress, useTitles } from '@slipway/app-react';
import {
  Details,
  RelativeTime,
  StatusBadge,
  type Tone,
} from '@slipway/design-system';
import type {
  Feedback,
  FeedbackSummary,
  Sentiment,
  Status,
} from '../api/Feedback';
import { useScreenshot } from '../queries';
import { useLinks } from '../routes';
import { feedbackTranslationRef } from '../translation';
import styles from '../feedback.module.css';

/** Shows the text and all properties of feedback. */
export function FeedbackFacts({ feedback }: { feedback: Feedback }) {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { rating, isRatingGuessed, issue, page } = feedback;
  const { votes, voting, mergedInto } = feedback;
  const links = useLinks();
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
          ...(feedback.component
            ? [
                {
                  label: t('detail.component'),
                  value: <ComponentLink component={feedback.component} />,
                },
              ]
            : []),
          ...(page
            ? [
                {
                  label: t('detail.page'),
                  value: <PageLink page={page} />,
                },
              ]
            : []),
          ...(voting || votes > 0
            ? [
                {
                  label: t('votes.votes'),
                  value: voting?.isOpen ? (
                    <Link href={links.voting(feedback.id)}>
                      {t('votes.count', { count: votes })}
                    </Link>
                  ) : (
                    t('votes.count', { count: votes })
                  ),
                },
              ]
            : []),
          ...(mergedInto
            ? [
                {
                  label: t('votes.merged'),
                  value: (
                    <Link href={links.voting(mergedInto)}>
                      {feedback.mergedTitle ?? t('votes.mergedInto')}
                    </Link>
                  ),
                },
              ]
            : []),
          ...(issue
            ? [{ label: t('detail.issue'), value: <IssueLink issue={issue} /> }]
            : []),
        ]}
      />
    </>
  );
}

/**
 * A link to a component's page, labelled with its title; plain text if `component` is not an entity
 * ref, or the app has no catalog.
 */
function ComponentLink({ component }: { component: string }) {
  const entityPath = useRouteRef(entityRouteRef);
  const ref = refIn(component);
  const href = ref && entityPath?.(ref);
  const titleOf = useTitles([component]);
  return href ? (
    <Link href={href} title={component}>
      {titleOf(component)}
    </Link>
  ) : (
    <>{component}</>
  );
}

/** Parses a full entity ref; returns undefined for a bare name and for any other text. */
function refIn(component: string): CompoundEntityRef | undefined {
  try {
    return parseEntityRef(component);
  } catch {
    return undefined;
  }
}

/**
 * Links to the page that feedback is about, unless its address, which the sender chose, is unsafe.
 */
function PageLink({ page }: { page: string }) {
  const href = safeAddress(page);
  if (href === undefined) {
    return <>{page}</>;
  }
  const { origin } = new URL(href, window.location.href);
  return (
    <Link
      href={href}
      {...(origin !== window.location.origin && {
        target: '_blank',
        rel: 'noopener noreferrer',
      })}
    >
      {page}
    </Link>
  );
}

/**
 * Links to an issue: to a page of the portal for the embedded tracker, otherwise to an external
 * site.
 */
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

/** Shows the attached image. */
function Screenshot({ id }: { id: string }) {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { data, error } = useScreenshot(id);
  if (error) {
    return <p>{t('detail.screenshotFailed')}</p>;
  }
  return data ? (
    <img
      className={styles.screenshot}
      src={data}
      alt={t('detail.screenshot')}
    />
  ) : null;
}

/**
 * Shows the sender of feedback; `withEmail` adds the email address. A name that is verified
 * neither by a session nor by a chat platform is marked.
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
    // Some platforms, such as Slack, identify the user but do not provide a name.
    return <>{t(isUserVerified ? 'list.nameless' : 'list.anonymous')}</>;
  }
  const text =
    withEmail && userName && userEmail ? `${userName} (${userEmail})` : name;
  return <>{isUserVerified ? text : t('list.unverified', { name: text })}</>;
}

const SENTIMENT_TONES: Record<Sentiment, Tone> = {
  positive: 'success',
  neutral: 'neutral',
  negative: 'danger',
};
const SENTIMENT_ICONS = {
  positive: RiEmotionLine,
  neutral: RiEmotionNormalLine,
  negative: RiEmotionUnhappyLine,
};

/** Shows the sentiment of feedback as a face and a word. */
export function SentimentMark({ sentiment }: { sentiment: Sentiment }) {
  const { t } = useTranslationRef(feedbackTranslationRef);
  return (
    <StatusBadge
      tone={SENTIMENT_TONES[sentiment]}
      icon={SENTIMENT_ICONS[sentiment]}
      label={t(`sentiment.${sentiment}`)}
    />
  );
}

const STATUS_TONES: Record<Status, Tone> = {
  new: 'info',
  validated: 'warning',
  in_progress: 'warning',
  resolved: 'success',
  archived: 'neutral',
};

/** Shows the status of feedback. */
export function StatusMark({ status }: { status: Status }) {
  const { t } = useTranslationRef(feedbackTranslationRef);
  return (
    <StatusBadge tone={STATUS_TONES[status]} label={t(`status.${status}`)} />
  );
}
