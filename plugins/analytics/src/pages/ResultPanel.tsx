import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { DataTable, EmptyState, Panel, saveFile } from '@slipway/design-system';
import type { QueryResult } from '../api/EventsApi';
import { Scrollable } from '../insights/Scrollable';
import { formatRequestTime } from '../insights/valueNames';
import type { Answer } from '../queries';
import { analyticsTranslationRef } from '../translation';
import { cellText, toCsv } from './eventText';
import styles from '../analytics.module.css';

/** Shows the result of a query as a table with its size and duration, and offers it as files. */
export function ResultPanel(props: {
  title: string;
  answer: Answer;
  /** Shown if there are more rows. */
  more: string;
  /** What to do if there are no rows. */
  empty: string;
}) {
  const { title, answer, more, empty } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { durationMs, ...result } = answer;
  const size = t('query.size', {
    count: result.rows.length,
    duration: formatRequestTime(durationMs),
  });
  if (result.rows.length === 0) {
    return (
      <div role="status">
        <EmptyState title={t('query.emptyTitle')} description={empty} />
      </div>
    );
  }
  const download = (label: string, type: string, text: () => string) => (
    <Button
      size="small"
      variant="secondary"
      onPress={() =>
        saveFile(`events.${type}`, {
          text: text(),
          type: type === 'csv' ? 'text/csv' : 'application/json',
        })
      }
    >
      {label}
    </Button>
  );
  return (
    <Panel
      title={title}
      padded={false}
      action={
        <div className={styles.actions}>
          <span className={styles.size} role="status">
            {size}
          </span>
          {download(t('query.csv'), 'csv', () => toCsv(result))}
          {download(t('query.json'), 'json', () =>
            JSON.stringify(result, null, 2),
          )}
        </div>
      }
    >
      <ResultTable label={title} result={result} />
      {result.hasMore && <p className={styles.note}>{more}</p>}
    </Panel>
  );
}

/** Shows a result with the columns of its query. */
export function ResultTable(props: { label: string; result: QueryResult }) {
  const { label, result } = props;
  const rows = result.rows.map((cells, id) => ({ id, cells }));
  return (
    <Scrollable label={label}>
      <DataTable<(typeof rows)[number]>
        isPlain
        label={label}
        rows={rows}
        rowId={({ id }) => id}
        columns={result.columns.map((name, index) => ({
          id: `column-${index}`,
          label: name,
          isNumber: rows.every(({ cells }) => typeof cells[index] === 'number'),
          text: ({ cells }) => cellText(cells[index]),
          cell: ({ cells }) => cellText(cells[index]),
        }))}
      />
    </Scrollable>
  );
}
