import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { ReadFailure } from '@slipway/app-react';
import { EmptyState, LoadingRows, Panel } from '@slipway/design-system';
import { useAnswer, useEventNames } from '../../data/useEvents';
import { useProject } from '../../data/useProject';
import { analyticsTranslationRef } from '../../translation';
import { download } from './download';
import styles from './Query.module.css';
import { QueryForm } from './QueryForm';
import { ResultTable } from './ResultTable';
import { toCsv } from './toCsv';
import { useQueryForm } from './useQueryForm';

/** Questions about events; the address holds the question. */
export function QueryPage() {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { project } = useProject();
  const { filters, query } = useQueryForm();
  const names = useEventNames(project?.id);
  const { data, error, isPending, isFetching, refetch } = useAnswer(
    project?.id,
    query,
  );
  return (
    <>
      <QueryForm
        filters={filters}
        names={names.data ?? []}
        isRunning={isFetching}
        onRun={() => refetch()}
      />
      {isPending && <LoadingRows label={t('query.loading')} rows={6} />}
      {error && (
        <ReadFailure
          title={t('query.failed')}
          error={error}
          onRetry={() => refetch()}
        />
      )}
      {!error && data?.rows.length === 0 && (
        <EmptyState
          title={t('query.emptyTitle')}
          description={t('query.emptyDescription')}
        />
      )}
      {!error && data && data.rows.length > 0 && (
        <Panel
          title={t('query.result')}
          padded={false}
          action={
            <div className={styles.actions}>
              <Button
                size="small"
                variant="secondary"
                onPress={() =>
                  download('events.csv', {
                    text: toCsv(data),
                    type: 'text/csv',
                  })
                }
              >
                {t('query.csv')}
              </Button>
              <Button
                size="small"
                variant="secondary"
                onPress={() =>
                  download('events.json', {
                    text: JSON.stringify(data, null, 2),
                    type: 'application/json',
                  })
                }
              >
                {t('query.json')}
              </Button>
            </div>
          }
        >
          <ResultTable result={data} />
          {data.hasMore && <p className={styles.note}>{t('query.more')}</p>}
        </Panel>
      )}
    </>
  );
}
