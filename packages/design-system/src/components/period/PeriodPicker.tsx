import { DateRangePicker, Select } from '@backstage/ui';
import { parseDate } from '@internationalized/date';
import { messages } from '../../messages';
import { DayRange, formatRange, parseRange } from './period';
import './PeriodPicker.css';

/** Select does not allow an item with an empty key. */
const DEFAULT = '30d';
const CUSTOM = 'custom';

/** Props of {@link PeriodPicker}. */
export interface PeriodPickerProps {
  /** The period as stored in the URL; empty for the last 30 days. */
  value: string;
  /** The days of the period; see `resolvePeriod`. */
  period: DayRange;
  onChange(value: string): void;
}

/** Selects the last days or a custom range. Used in a FilterBar. */
export function PeriodPicker({ value, period, onChange }: PeriodPickerProps) {
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
        className="slw-PeriodPicker"
        size="small"
        aria-label={messages.period.label}
        value={isCustom ? CUSTOM : value || DEFAULT}
        onChange={key => key !== null && choose(String(key))}
        options={[
          { id: DEFAULT, label: messages.period.last30Days },
          { id: '90d', label: messages.period.last90Days },
          { id: '12m', label: messages.period.last12Months },
          { id: CUSTOM, label: messages.period.custom },
        ]}
      />
      {isCustom && (
        <DateRangePicker
          size="small"
          aria-label={messages.period.dates}
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
