import { type FormEvent, useMemo } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Select, TextField } from '@backstage/ui';
import { type UrlFilters, useUrlFilters } from '@slipway/design-system';
import type { EventsQuery } from '../api/EventsApi';
import {
  type TestAccountChoice,
  TestAccountSwitch,
} from '../testAccounts/TestAccountSwitch';
import { analyticsTranslationRef } from '../translation';
import type { Draft } from './useDraft';
import styles from '../analytics.module.css';

/** Periods to choose from, in the service's format. */
const PERIODS = ['-1h', '-24h', '-7d', '-30d', 'all'] as const;

/** The values of the form in the URL. */
export const DEFAULTS = {
  event: '',
  columns: 'event, count(), count(distinct distinct_id)',
  where: '',
  period: '-7d',
};

/** Reads the query from the URL, so that it can be bookmarked and shared. */
export function useQueryForm(filterTestAccounts: boolean) {
  const filters = useUrlFilters(DEFAULTS);
  const { event, columns, where, period } = filters.values;
  const query = useMemo<EventsQuery>(
    () => ({
      select: splitColumns(columns),
      after: period,
      ...(event && { event }),
      ...(where.trim() && { where: [where] }),
      ...(filterTestAccounts && { filterTestAccounts }),
    }),
    [event, columns, where, period, filterTestAccounts],
  );
  return { filters, query };
}

type Key = keyof typeof DEFAULTS;

/** The fields that apply on Enter or Run. */
export type FormDrafts = Record<'columns' | 'where', Draft>;

const ANY = '__any__';

/** The form of a query. Typed text applies on Enter or Run; choices apply immediately. */
export function QueryForm(props: {
  filters: UrlFilters<Key>;
  drafts: FormDrafts;
  names: readonly string[];
  testAccounts: TestAccountChoice;
  isRunning: boolean;
  onRun(): void;
}) {
  const { filters, drafts, names, testAccounts, isRunning, onRun } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const columns = drafts.columns.text;
  const where = drafts.where.text;
  const { event, period } = filters.values;
  const options = [...new Set([...names, ...(event ? [event] : [])])];

  const onSubmit = (submit: FormEvent) => {
    submit.preventDefault();
    const isSame =
      columns === filters.values.columns && where === filters.values.where;
    if (isSame) {
      onRun();
    } else {
      filters.setAll({ columns, where });
    }
  };

  return (
    <form className={styles.form} onSubmit={onSubmit} role="search">
      <Select
        label={t('query.event')}
        size="small"
        value={event || ANY}
        onChange={value =>
          filters.set('event', value === ANY ? '' : String(value))
        }
        options={[
          { value: ANY, label: t('live.anyEvent') },
          ...options.map(name => ({ value: name, label: name })),
        ]}
      />
      <Select
        label={t('query.period')}
        size="small"
        value={period}
        onChange={value => filters.set('period', String(value))}
        options={PERIODS.map(value => ({
          value,
          label: t(`query.periods.${value}`),
        }))}
      />
      <TextField
        className={styles.wide}
        size="small"
        label={t('query.columns')}
        value={columns}
        onChange={drafts.columns.write}
      />
      <TextField
        className={styles.wide}
        size="small"
        label={t('query.where')}
        placeholder="properties.plan = 'pro'"
        value={where}
        onChange={drafts.where.write}
      />
      <TestAccountSwitch choice={testAccounts} />
      <Button
        variant="primary"
        size="small"
        type="submit"
        isPending={isRunning}
      >
        {t('query.run')}
      </Button>
    </form>
  );
}

/** Splits `count(), properties['a, b']` at the commas between expressions. */
function splitColumns(text: string): string[] {
  const parts = [''];
  let depth = 0;
  let isQuoted = false;
  for (const character of text) {
    if (character === "'") {
      isQuoted = !isQuoted;
    } else if (!isQuoted && '(['.includes(character)) {
      depth += 1;
    } else if (!isQuoted && ')]'.includes(character)) {
      depth -= 1;
    }
    if (character === ',' && depth <= 0 && !isQuoted) {
      parts.push('');
    } else {
      parts[parts.length - 1] += character;
    }
  }
  return parts.map(part => part.trim()).filter(part => part !== '');
}
