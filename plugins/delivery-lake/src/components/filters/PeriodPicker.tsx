import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { DateRangePicker, Select } from '@backstage/ui';
import { parseDate } from '@internationalized/date';
import {
  type DayRange,
  type Preset,
  formatRange,
  parseRange,
} from '../../data/period';
import { deliveryLakeTranslationRef } from '../../translation';
import styles from './filters.module.css';

/** A Select has no item with an empty key. */
const DEFAULT = '30d';
const CUSTOM = 'custom';

/** The last days, or dates to choose. */
export function PeriodPicker(props: {
  /** As the URL writes it; empty for the default. */
  value: Preset | string;
  /** The days that it means. */
  period: DayRange;
  onChange(value: string): void;
}) {
  const { value, period, onChange } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const isCustom = parseRange(value) !== undefined;
  const choose = (key: string) => {
    if (key === CUSTOM) {
      onChange(formatRange(period));
    } else {
      onChange(key === DEFAULT ? '' : key);
    }
  };
  return (
    <>
      <Select
        className={styles.period}
        size="small"
        aria-label={t('filter.period')}
        value={isCustom ? CUSTOM : value || DEFAULT}
        onChange={key => key !== null && choose(String(key))}
        options={[
          { id: DEFAULT, label: t('filter.last30Days') },
          { id: '90d', label: t('filter.last90Days') },
          { id: '12m', label: t('filter.last12Months') },
          { id: CUSTOM, label: t('filter.customDates') },
        ]}
      />
      {isCustom && (
        <DateRangePicker
          size="small"
          aria-label={t('filter.dates')}
          value={{
            start: parseDate(period.startDate),
            end: parseDate(period.endDate),
          }}
          onChange={range => {
            if (range) {
              onChange(
                formatRange({
                  startDate: range.start.toString().slice(0, 10),
                  endDate: range.end.toString().slice(0, 10),
                }),
              );
            }
          }}
        />
      )}
    </>
  );
}
