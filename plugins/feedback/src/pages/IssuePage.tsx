import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Link } from '@backstage/ui';
import { Loaded, SendFailure, useErrorWords } from '@slipway/app-react';
import {
  ConfirmDialog,
  Details,
  LoadingBlock,
  Page,
  PageHeader,
  RelativeTime,
  StatusBadge,
} from '@slipway/design-system';
import { useParams } from 'react-router-dom';
import type { Issue } from '../api/Feedback';
import { IssueText } from '../components/IssueText';
import { useChangeIssue, useIssue, useOptions } from '../queries';
import { useLinks } from '../routes';
import { feedbackTranslationRef } from '../translation';
import styles from '../feedback.module.css';

/** Shows an issue of the embedded tracker. */
export function IssuePage() {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { number = '' } = useParams();
  const links = useLinks();
  const query = useIssue(number);
  const { data } = query;
  const { data: options } = useOptions();
  return (
    <Page
      header={
        <PageHeader
          title={data?.title ?? t('issue.title', { number })}
          breadcrumbs={[{ label: t('page.title'), href: links.mine() }]}
          status={
            data && (
              <StatusBadge
                tone={data.state === 'open' ? 'info' : 'success'}
                label={t(`issue.${data.state}`)}
              />
            )
          }
          description={data && t('issue.title', { number })}
          action={options?.mayTriage && data && <ChangeIssue issue={data} />}
        />
      }
    >
      <Loaded
        query={query}
        failed={t('issue.failed')}
        loading={<LoadingBlock label={t('issue.loading')} height={240} />}
      >
        {issue => <IssueFacts issue={issue} mayTriage={options?.mayTriage} />}
      </Loaded>
    </Page>
  );
}

function IssueFacts(props: { issue: Issue; mayTriage?: boolean }) {
  const { issue, mayTriage } = props;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const links = useLinks();
  return (
    <div className={styles.facts}>
      <Details
        items={[
          {
            label: t('issue.opened'),
            value: <RelativeTime value={issue.createdAt} />,
          },
          ...(issue.closedAt
            ? [
                {
                  label: t('issue.closedAt'),
                  value: <RelativeTime value={issue.closedAt} />,
                },
              ]
            : []),
        ]}
      />
      {issue.body === null ? (
        <p>{t('issue.hidden')}</p>
      ) : (
        <IssueText>{issue.body}</IssueText>
      )}
      {mayTriage && issue.feedbackId && (
        <Link href={links.triage(issue.feedbackId)}>{t('issue.feedback')}</Link>
      )}
    </div>
  );
}

/** Closes or reopens an issue; asks for confirmation if this notifies the sender of feedback. */
function ChangeIssue({ issue }: { issue: Issue }) {
  const { number, state, feedbackId } = issue;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { mutate, mutateAsync, error, isPending } = useChangeIssue(number);
  const errorWords = useErrorWords();
  const [isAsking, setIsAsking] = useState(false);
  const isOpen = state === 'open';
  const change = () => {
    if (isOpen && feedbackId !== null) {
      setIsAsking(true);
    } else {
      mutate(isOpen ? 'closed' : 'open');
    }
  };
  return (
    <>
      {error && !isAsking && (
        <SendFailure title={t('issue.changeFailed')} error={error} />
      )}
      <Button
        variant={isOpen ? 'primary' : 'secondary'}
        isPending={isPending}
        onPress={change}
      >
        {t(isOpen ? 'issue.close' : 'issue.reopen')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t('issue.closeTitle', { number: String(number) })}
        confirmLabel={t('issue.close')}
        destructive={false}
        describeError={errorWords}
        onConfirm={async () => {
          await mutateAsync('closed');
        }}
      >
        {t('issue.closeText')}
      </ConfirmDialog>
    </>
  );
}
