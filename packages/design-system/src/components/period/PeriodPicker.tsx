import { useState } from 'react';
import { DateRangePicker, Select } from '@backstage/ui';
import { type DateValue, parseDate } from '@internationalized/date';
import { messages } from '../../messages';
import {
  DayRange,
  formatRange,
  isLikelyDay,
  parseRange,
  presetOf,
} from './period';
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
        value={isCustom ? CUSTOM : presetOf(value) || DEFAULT}
        onChange={key => key !== null && choose(String(key))}
        options={[
          { id: DEFAULT, label: messages.period.last30Days },
          { id: '90d', label: messages.period.last90Days },
          { id: '12m', label: messages.period.last12Months },
          { id: CUSTOM, label: messages.period.custom },
        ]}
      />
      {isCustom && <DatesField period={period} onChange={onChange} />}
    </>
  );
}

type Dates = { start: DateValue; end: DateValue };

/**
 * The fields for the first and last day. Days apply once both are complete and in order; until then,
 * and until the focus leaves, the fields keep what is typed.
 */
function DatesField({ period, onChange }: Omit<PeriodPickerProps, 'value'>) {
  // Null while a day is incomplete; undefined if the fields show the period.
  const [draft, setDraft] = useState<Dates | null>();
  const shown = {
    start: parseDate(period.startDate),
    end: parseDate(period.endDate),
  };
  return (
    <DateRangePicker
      size="small"
      aria-label={messages.period.dates}
      value={draft === undefined ? shown : draft}
      onChange={dates => {
        const range = dates && rangeOf(dates);
        setDraft(range ? undefined : dates);
        if (range) {
          onChange(range);
        }
      }}
      onBlur={() => setDraft(undefined)}
    />
  );
}

/** Returns the dates as stored in the URL; undefined if they are in the wrong order or half typed. */
function rangeOf({ start, end }: Dates): string | undefined {
  const [startDate, endDate] = [start, end].map(String);
  const range = formatRange({ startDate, endDate });
  return isLikelyDay(startDate) && isLikelyDay(endDate) && parseRange(range)
    ? range
    : undefined;
}
