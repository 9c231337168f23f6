import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select } from '@backstage/ui';
import type { UrlFilters } from '@slipway/design-system';
import { analyticsTranslationRef } from '../translation';
import styles from '../analytics.module.css';

const CUSTOM = 'custom';

/** A period that ends now. */
type Period = '-24h' | '-7d' | '-30d' | '-90d' | 'all';

/** The fields for a period: one of several, or the dates that it begins and ends with. */
export function PeriodFields(props: {
  form: UrlFilters<'period' | 'from' | 'to'>;
  periods: readonly Period[];
}) {
  const { form, periods } = props;
  const { values, set, setAll } = form;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const isCustom = values.from !== '';
  const date = (name: 'from' | 'to') => (
    <label className={styles.date}>
      <span>{t(`insight.dates.${name}`)}</span>
      <input
        type="date"
        value={values[name]}
        onChange={({ target }) => set(name, target.value)}
      />
    </label>
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
            set('from', new Date().toISOString().slice(0, 10));
          } else {
            setAll({ from: '', to: '', period: String(value) });
          }
        }}
        options={[
          ...periods.map(value => ({
            value: value as string,
            label: t(`trends.periods.${value}`),
          })),
          { value: CUSTOM, label: t('insight.custom') },
        ]}
      />
      {isCustom && date('from')}
      {isCustom && date('to')}
    </>
  );
}
