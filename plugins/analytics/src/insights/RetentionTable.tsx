import { useTranslationRef } from '@backstage/frontend-plugin-api';
import type { InsightQuery, RetentionRow } from '../api/InsightQuery';
import { useProject } from '../projectQueries';
import { analyticsTranslationRef } from '../translation';
import { firstRunning } from './buckets';
import { PeopleCount } from './PeopleCount';
import { Scrollable } from './Scrollable';
import type { PeopleLink } from './selection';
import {
  formatCount,
  formatShare,
  formatStart,
  localTimesIn,
  nameOfValue,
  useIdWords,
} from './valueNames';
import styles from '../analytics.module.css';

/**
 * Shows people by when they started, and how many returned; higher shares have a
 * stronger cell colour. There is one table for each value of a breakdown.
 *
 * @param props.query - the query that returned the rows.
 */
export function RetentionTables(props: {
  rows: readonly RetentionRow[];
  query: InsightQuery;
  peopleLink?: PeopleLink;
}) {
  const { rows, query, peopleLink } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const words = useIdWords(query);
  const values = [...new Set(rows.map(row => row.breakdown_value))];
  return (
    <div className={styles.stack}>
      {values.map(value => (
        <RetentionTable
          key={String(value)}
          label={
            value === undefined
              ? t('insight.retention')
              : nameOfValue(value, words)
          }
          hasTitle={value !== undefined}
          rows={rows.filter(row => row.breakdown_value === value)}
          unit={(query.retentionFilter?.period ?? 'Day').toLowerCase()}
          peopleLink={peopleLink}
        />
      ))}
    </div>
  );
}

function RetentionTable(props: {
  label: string;
  hasTitle: boolean;
  rows: readonly RetentionRow[];
  unit: string;
  peopleLink?: PeopleLink;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { label: title, hasTitle, rows, unit, peopleLink } = props;
  const localTimes = localTimesIn(useProject().project?.timeZone ?? 'UTC');
  const columns = rows[0]?.values ?? [];
  const starts = rows.map(({ date }) => date.slice(0, 19).replace('T', ' '));
  const running = firstRunning(starts, {
    unit,
    now: localTimes.format(Date.now()),
  });
  const notesOf = (interval: number, returnInterval: number) =>
    running !== -1 && interval + returnInterval >= running
      ? [t('trends.running')]
      : [];
  return (
    <Scrollable label={title}>
      <table className={styles.figures}>
        <caption className={hasTitle ? undefined : styles.hidden}>
          {title}
        </caption>
        <thead>
          <tr>
            <th scope="col">{t('insight.began')}</th>
            <th scope="col" className={styles.numeric}>
              {t('insight.people')}
            </th>
            {columns.slice(1).map(({ label }) => (
              <th key={label} scope="col" className={styles.numeric}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(
            ({ date, values, breakdown_value: breakdown }, interval) => {
              const [whole, ...later] = values.map(({ count }) => count);
              const hrefOf = (returnInterval: number) =>
                peopleLink?.({ interval, returnInterval, breakdown, date });
              return (
                <tr key={date}>
                  <th scope="row">{formatStart(date)}</th>
                  <td
                    className={styles.numeric}
                    data-tentative={notesOf(interval, 0).length > 0}
                    title={notesOf(interval, 0)[0]}
                  >
                    <PeopleCount
                      people={whole}
                      href={hrefOf(0)}
                      label={[
                        t('actors.startedNamed', {
                          shown: formatCount(whole),
                          date: formatStart(date),
                        }),
                        ...notesOf(interval, 0),
                      ].join('. ')}
                    >
                      {formatCount(whole)}
                    </PeopleCount>
                  </td>
                  {later.map((count, index) => (
                    <td
                      key={columns[index + 1].label}
                      className={styles.heat}
                      style={{
                        ['--heat' as string]: `${
                          whole === 0 ? 0 : Math.round((45 * count) / whole)
                        }%`,
                      }}
                      data-tentative={notesOf(interval, index + 1).length > 0}
                      title={[
                        formatCount(count),
                        ...notesOf(interval, index + 1),
                      ].join('. ')}
                    >
                      <PeopleCount
                        people={count}
                        href={hrefOf(index + 1)}
                        label={[
                          t('actors.returnedNamed', {
                            shown: formatShare(count, whole),
                            date: formatStart(date),
                            period: columns[index + 1].label,
                          }),
                          ...notesOf(interval, index + 1),
                        ].join('. ')}
                      >
                        {formatShare(count, whole)}
                      </PeopleCount>
                    </td>
                  ))}
                </tr>
              );
            },
          )}
        </tbody>
      </table>
    </Scrollable>
  );
}
