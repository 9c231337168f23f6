import { useState } from 'react';
import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert, Button } from '@backstage/ui';
import {
  RiArchiveLine,
  RiCheckDoubleLine,
  RiCheckLine,
  RiDeleteBinLine,
} from '@remixicon/react';
import { useBulkChange, useErrorWords } from '@slipway/app-react';
import {
  type BulkAction,
  ConfirmDialog,
  formatSize,
} from '@slipway/design-system';
import { feedbackApiRef } from '../api/FeedbackApi';
import {
  type AutomationResult,
  type FeedbackSummary,
  type Status,
} from '../api/Feedback';
import { useOptions, useRunAutomation, useTriage } from '../queries';
import { useLinks } from '../routes';
import { feedbackTranslationRef } from '../translation';
import { DeleteFeedback } from '../components/DeleteFeedback';
import { FeedbackActions } from '../components/FeedbackActions';
import { History } from '../components/History';
import { Thread } from '../components/Thread';
import { FeedbackList } from './FeedbackList';
import { TriageFilters, useTriageView } from './TriageFilters';
import { MoveForm } from './MoveForm';
import { VotingSection } from './VotingSection';
import styles from '../feedback.module.css';

/** The longest period to choose, in the format of the URL. */
const LONGEST = '12m';

/**
 * Lists all feedback, with filters, a details panel, bulk changes of status and the creation of
 * issues.
 */
export function TriagePage() {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const links = useLinks();
  const view = useTriageView();
  const { values } = view.filters;
  const triage = useTriage(view.query, view.page);
  return (
    <>
      <ScreenshotSpace />
      <TriageFilters view={view} found={triage.data} />
      {triage.data && <RunAutomation />}
      <FeedbackList
        query={triage}
        label={t('triage.label')}
        empty={{
          title: t('triage.emptyTitle'),
          description: t(
            view.filters.isActive
              ? 'triage.noMatchDescription'
              : 'triage.emptyDescription',
          ),
          action: view.filters.isActive && values.period !== LONGEST && (
            <Button
              variant="secondary"
              onPress={() => view.filters.set('period', LONGEST)}
            >
              {t('triage.showLongest')}
            </Button>
          ),
        }}
        hrefOf={links.triage}
        onPage={view.setPage}
        bulk={useBulkChanges()}
      >
        {feedback => (
          <>
            <FeedbackActions feedback={feedback} />
            <Thread feedback={feedback} side="triage" />
            <MoveForm feedback={feedback} />
            <VotingSection feedback={feedback} />
            <History feedback={feedback} />
            <DeleteFeedback id={feedback.id} listHref={links.triage} />
          </>
        )}
      </FeedbackList>
    </>
  );
}

/** Warns that there is little or no space left for screenshots. */
function ScreenshotSpace() {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { data } = useOptions();
  return data?.screenshots ? (
    <Alert
      status="warning"
      icon
      title={t('triage.screenshotsShort', {
        used: formatSize(data.screenshots.used),
        quota: formatSize(data.screenshots.quota),
      })}
      description={t('triage.screenshotsShortHelp')}
    />
  ) : null;
}

/** Returns the status changes that are offered for several entries at once. */
function useBulkChanges(): BulkAction<FeedbackSummary>[] {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const api = useApi(feedbackApiRef);
  const bulkChange = useBulkChange();
  const move = (to: Status, canUndo: boolean) => ({
    isFor: ({ status }: FeedbackSummary) => status !== to,
    run: (entries: readonly FeedbackSummary[]) =>
      bulkChange(entries, {
        change: ({ id, replyCount }) =>
          api.changeStatus(id, { status: to, notes: '', replyCount }),
        ...(canUndo && {
          undo: ({ id, status, replyCount }) =>
            api.changeStatus(id, { status, notes: '', replyCount }),
        }),
        done: count => t('bulk.done', { count, status: t(`status.${to}`) }),
        failed: count => t('bulk.failed', { count }),
      }),
  });
  return [
    {
      id: 'validate',
      label: t('bulk.validate'),
      icon: <RiCheckLine size={16} />,
      ...move('validated', true),
    },
    {
      id: 'resolve',
      label: t('bulk.resolve'),
      icon: <RiCheckDoubleLine size={16} />,
      confirm: entries => ({
        title: t('bulk.resolveTitle', { count: entries.length }),
        label: t('bulk.resolveConfirm'),
        text: t('bulk.resolveText'),
        destructive: false,
      }),
      ...move('resolved', false),
    },
    {
      id: 'archive',
      label: t('bulk.archive'),
      icon: <RiArchiveLine size={16} />,
      ...move('archived', true),
    },
    {
      id: 'delete',
      label: t('bulk.delete'),
      icon: <RiDeleteBinLine size={16} />,
      confirm: entries => ({
        title: t('bulk.deleteTitle', { count: entries.length }),
        label: t('detail.delete'),
        text: t('detail.deleteText'),
      }),
      run: entries =>
        bulkChange(entries, {
          change: ({ id }) => api.delete(id),
          done: count => t('bulk.deleted', { count }),
          failed: count => t('bulk.deleteFailed', { count }),
        }),
    },
  ];
}

/** Creates issues for validated feedback after confirmation, and shows the result. */
function RunAutomation() {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { mutateAsync, data } = useRunAutomation();
  const errorWords = useErrorWords();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t('triage.runTitle')}
        confirmLabel={t('triage.run')}
        destructive={false}
        describeError={errorWords}
        onConfirm={async () => {
          await mutateAsync();
        }}
      >
        {t('triage.runText')}
      </ConfirmDialog>
      <div className={styles.run}>
        <Button
          size="small"
          variant="secondary"
          onPress={() => setIsAsking(true)}
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
