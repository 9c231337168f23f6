import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select } from '@backstage/ui';
import { isLikelyDay, todayIn, type UrlFilters } from '@slipway/design-system';
import type { Project } from '../api/EventsApi';
import { isOneOf } from '../filters/propertyFilters';
import { analyticsTranslationRef, type Translate } from '../translation';
import styles from '../analytics.module.css';

const CUSTOM = 'custom';

/** A period that ends now. */
type Period = '-24h' | '-7d' | '-30d' | '-90d' | 'all';

/** The fields for a period: a choice of common periods, or its first and last day. */
export function PeriodFields(props: {
  form: UrlFilters<'period' | 'from' | 'to'>;
  periods: readonly Period[];
  project: Pick<Project, 'timeZone'> | undefined;
}) {
  const { form, periods, project } = props;
  const { values, set, setAll } = form;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const isCustom = values.from !== '';
  const date = (name: 'from' | 'to') => (
    <DateField
      label={t(`insight.dates.${name}`)}
      value={values[name]}
      // Keep the first day: without it, these fields would disappear.
      onChange={day => (day || name === 'to') && set(name, day)}
    />
  );
  return (
    <>
      <Select
        className={styles.filter}
        label={t('trends.period')}
        size="small"
        value={isCustom ? CUSTOM : values.period}
        onChange={value => {
          if (value === CUSTOM) {
            set('from', todayIn(project?.timeZone ?? 'UTC'));
          } else {
            setAll({ from: '', to: '', period: String(value) });
          }
        }}
        options={[
          ...periods.map(value => ({
            value: value as string,
            label: t(`trends.periods.${value}`),
          })),
          ...(isOneOf(periods, values.period)
            ? []
            : [{ value: values.period, label: nameOf(values.period, t) }]),
          { value: CUSTOM, label: t('insight.custom') },
        ]}
      />
      {isCustom && date('from')}
      {isCustom && date('to')}
    </>
  );
}

/** Returns the name of a period that a program chose, such as `-14d`. */
function nameOf(period: string, t: Translate): string {
  const [, count, unit] = /^-(\d{1,6})([hdwm])$/.exec(period) ?? [];
  return unit === undefined
    ? period
    : t(`trends.last.${unit as 'd'}`, { count: Number(count) });
}

/**
 * A field for a day, `YYYY-MM-DD`; empty if none is chosen. A day applies once it is
 * complete. An empty value only applies when the field loses focus, as browsers also report
 * it for an incomplete day.
 */
export function DateField(props: {
  label: string;
  value: string;
  onChange(day: string): void;
}) {
  const { label, value, onChange } = props;
  const [draft, setDraft] = useState<string>();
  return (
    <label className={styles.date}>
      <span>{label}</span>
      <input
        type="date"
        value={draft ?? value}
        onChange={({ target }) => {
          setDraft(target.value);
          if (isLikelyDay(target.value)) {
            onChange(target.value);
          }
        }}
        onBlur={() => {
          setDraft(undefined);
          if (draft === '') {
            onChange('');
          }
        }}
      />
    </label>
  );
}
