import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { ReadFailure } from '@slipway/app-react';
import {
  DataTable,
  EmptyState,
  LoadingRows,
  Panel,
  saveFile,
} from '@slipway/design-system';
import type { QueryResult } from '../api/EventsApi';
import { useProject } from '../projectQueries';
import { useAnswer, useEventNames } from '../queries';
import { useTestAccounts } from '../testAccounts/TestAccountSwitch';
import { analyticsTranslationRef } from '../translation';
import { Scrollable } from '../insights/Scrollable';
import { QueryForm, useQueryForm } from './QueryForm';
import { cellText, toCsv } from './eventText';
import styles from '../analytics.module.css';

/** Runs queries over events; the URL holds the query. */
export function QueryPage() {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { project } = useProject();
  const testAccounts = useTestAccounts(project);
  const { filters, query } = useQueryForm(testAccounts.isFiltered);
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
        testAccounts={testAccounts}
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
                  saveFile('events.csv', {
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
                  saveFile('events.json', {
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

/** Shows the result with the columns of the query. */
function ResultTable({ result }: { result: QueryResult }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const rows = result.rows.map((cells, id) => ({ id, cells }));
  return (
    <Scrollable label={t('query.result')}>
      <DataTable<(typeof rows)[number]>
        isPlain
        label={t('query.result')}
        rows={rows}
        rowId={({ id }) => id}
        columns={result.columns.map((label, index) => ({
          id: `column-${index}`,
          label,
          isNumber: rows.every(({ cells }) => typeof cells[index] === 'number'),
          text: ({ cells }) => cellText(cells[index]),
          cell: ({ cells }) => cellText(cells[index]),
        }))}
      />
    </Scrollable>
  );
}
