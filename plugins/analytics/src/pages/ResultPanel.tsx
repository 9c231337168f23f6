import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, VisuallyHidden } from '@backstage/ui';
import {
  DataTable,
  EmptyState,
  formatDuration,
  Panel,
  saveFile,
  writeCsv,
} from '@slipway/design-system';
import type { QueryResult } from '../api/EventsApi';
import { Scrollable } from '../insights/Scrollable';
import type { Answer } from '../queries';
import { analyticsTranslationRef } from '../translation';
import { cellText } from './displayText';
import styles from '../analytics.module.css';

/** Shows the result of a query as a table, and announces its size and duration. */
export function ResultPanel(props: {
  title: string;
  /** Undefined while the query runs, and after it failed. */
  answer: Answer | undefined;
  /** Shown if there are more rows. */
  more: string;
  /** Advice shown if there are no rows. */
  empty: string;
}) {
  const { title, answer, more, empty } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const size =
    answer &&
    t('query.size', {
      count: answer.rows.length,
      duration: formatDuration(answer.durationMs),
    });
  return (
    <>
      {/* Screen readers only announce what appears in an element that was there before. */}
      <VisuallyHidden role="status">{size}</VisuallyHidden>
      {answer?.rows.length === 0 && (
        <EmptyState title={t('query.emptyTitle')} description={empty} />
      )}
      {answer && answer.rows.length > 0 && (
        <Panel
          title={title}
          padded={false}
          action={
            <div className={styles.actions}>
              <span className={styles.size}>{size}</span>
              <Downloads answer={answer} />
            </div>
          }
        >
          <ResultTable label={title} result={answer} />
          {answer.hasMore && <p className={styles.note}>{more}</p>}
        </Panel>
      )}
    </>
  );
}

/** Offers a result as files. */
function Downloads({ answer }: { answer: Answer }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { durationMs: _durationMs, ...result } = answer;
  const files = [
    {
      label: t('query.csv'),
      name: 'events.csv',
      type: 'text/csv',
      text: () => csvOf(result),
    },
    {
      label: t('query.json'),
      name: 'events.json',
      type: 'application/json',
      text: () => JSON.stringify(result, null, 2),
    },
  ];
  return (
    <>
      {files.map(({ label, name, type, text }) => (
        <Button
          key={name}
          size="small"
          variant="secondary"
          onPress={() => saveFile(name, { text: text(), type })}
        >
          {label}
        </Button>
      ))}
    </>
  );
}

function csvOf({ columns, rows }: QueryResult): string {
  const lines = rows.map(row =>
    row.map(cell => (typeof cell === 'number' ? cell : cellText(cell))),
  );
  return writeCsv([columns, ...lines]);
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
