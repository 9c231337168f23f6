import { Fragment } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { analyticsTranslationRef } from '../translation';
import styles from '../analytics.module.css';

/** The columns of events, by the keys of their descriptions. */
const COLUMNS = {
  event: 'event',
  timestamp: 'timestamp',
  person: 'person_id',
  distinct: 'distinct_id',
  property: 'properties.plan',
  anyProperty: "properties['any name']",
  userProperty: 'person.properties.email',
  groupProperty: 'group_0.properties.plan',
  session: 'properties.$session_id',
  cohort: 'person_id IN COHORT 7',
} as const;

/** Functions and operators that queries often need, by the keys of their labels. */
const FUNCTIONS = {
  counts:
    "count(), uniq(person_id), countIf(event = 'signed up'), sum(properties.price), avg, min, max, median, quantile(0.9)(properties.price)",
  conditions:
    '=, !=, <, in (…), between, like, ilike, is null, and, or, not, if(…), multiIf(…), coalesce(…)',
  times:
    "now(), today(), interval 7 day, toDate(timestamp), toStartOfWeek(timestamp), toHour(timestamp), dateDiff('day', a, b), formatDateTime(timestamp, '%Y-%m')",
  texts:
    "lower(x), concat(x, y), substring(x, 1, 3), replaceAll(x, 'a', 'b'), splitByChar(',', x)[1], match(x, '^a'), domain(x), path(x)",
  numbers: 'round(x, 1), floor(x), abs(x), toFloat(x), greatest(x, y), x / y',
} as const;

const COLUMN_NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];
const FUNCTION_NAMES = Object.keys(FUNCTIONS) as (keyof typeof FUNCTIONS)[];

/** Describes the columns and functions of HogQL; closed until the user opens it. */
export function SqlReference() {
  const { t } = useTranslationRef(analyticsTranslationRef);
  return (
    <details className={styles.reference}>
      <summary>{t('sql.reference')}</summary>
      <dl>
        {COLUMN_NAMES.map(name => (
          <Fragment key={name}>
            <dt>
              <code>{COLUMNS[name]}</code>
            </dt>
            <dd className={styles.quiet}>{t(`sql.column.${name}`)}</dd>
          </Fragment>
        ))}
        {FUNCTION_NAMES.map(name => (
          <Fragment key={name}>
            <dt>{t(`sql.functions.${name}`)}</dt>
            <dd>
              <code>{FUNCTIONS[name]}</code>
            </dd>
          </Fragment>
        ))}
      </dl>
    </details>
  );
}
