import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ReadFailure } from '@slipway/app-react';
import {
  EmptyState,
  type EmptyStateProps,
  LoadingRows,
} from '@slipway/design-system';
import type { FeedbackSummary, PageOf } from '../api/types';
import {
  type FeedbackColumn,
  FeedbackTable,
} from '../components/FeedbackTable';
import { Pager } from '../components/Pager';
import { feedbackTranslationRef } from '../translation';

/** A page of feedback: on its way, not to be had, none, or a table. */
export function FeedbackList(props: {
  query: {
    data?: PageOf<FeedbackSummary>;
    error: unknown;
    isPending: boolean;
    refetch(): unknown;
  };
  label: string;
  empty: Pick<EmptyStateProps, 'title' | 'description' | 'action'>;
  columns: readonly FeedbackColumn[];
  hrefOf(id: string): string;
  onPage(page: number): void;
}) {
  const { query, label, empty, columns, hrefOf, onPage } = props;
  const { data, error, isPending, refetch } = query;
  const { t } = useTranslationRef(feedbackTranslationRef);
  return (
    <>
      {isPending && <LoadingRows label={t('list.loading')} rows={8} />}
      {Boolean(error) && !data && (
        <ReadFailure
          title={t('list.failed')}
          error={error}
          onRetry={() => refetch()}
        />
      )}
      {data?.total === 0 && <EmptyState {...empty} />}
      {data && data.total > 0 && (
        <>
          <FeedbackTable
            label={label}
            items={data.items}
            columns={columns}
            hrefOf={hrefOf}
          />
          <Pager of={data} onChange={onPage} />
        </>
      )}
    </>
  );
}
