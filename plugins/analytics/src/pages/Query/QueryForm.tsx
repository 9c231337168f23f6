import { type FormEvent, useEffect, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Select, TextField } from '@backstage/ui';
import type { UrlFilters } from '@slipway/design-system';
import { useSearchParams } from 'react-router-dom';
import { analyticsTranslationRef } from '../../translation';
import styles from './Query.module.css';
import { PERIODS } from './useQueryForm';

type Key = 'event' | 'columns' | 'where' | 'period';

const ANY = '__any__';

/** What to ask. Texts count from Enter or Run on, choices at once. */
export function QueryForm(props: {
  filters: UrlFilters<Key>;
  names: readonly string[];
  isRunning: boolean;
  onRun(): void;
}) {
  const { filters, names, isRunning, onRun } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const [columns, setColumns] = useState(filters.values.columns);
  const [where, setWhere] = useState(filters.values.where);
  useEffect(() => setColumns(filters.values.columns), [filters.values.columns]);
  useEffect(() => setWhere(filters.values.where), [filters.values.where]);
  const [, setSearchParams] = useSearchParams();
  const { event, period } = filters.values;
  const options = [...new Set([...names, ...(event ? [event] : [])])];

  const onSubmit = (submit: FormEvent) => {
    submit.preventDefault();
    const isSame =
      columns === filters.values.columns && where === filters.values.where;
    if (isSame) {
      onRun();
      return;
    }
    // Both at once: of two changes in a row the router keeps the second alone.
    setSearchParams(
      current => {
        const next = new URLSearchParams(current);
        next.set('columns', columns);
        next.set('where', where);
        return next;
      },
      { replace: true },
    );
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
        onChange={setColumns}
      />
      <TextField
        className={styles.wide}
        size="small"
        label={t('query.where')}
        placeholder="properties.plan = 'pro'"
        value={where}
        onChange={setWhere}
      />
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
