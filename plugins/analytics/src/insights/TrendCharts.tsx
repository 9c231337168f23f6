import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { type ChartMark, marksByBucket } from '@slipway/app-react';
import {
  type ChartPoint,
  numberScale,
  SeriesChart,
  Tile,
} from '@slipway/design-system';
import { Link, useLocation } from 'react-router-dom';
import type { TrendLine } from '../api/InsightQuery';
import { useProject } from '../projectQueries';
import { analyticsTranslationRef, type Translate } from '../translation';
import {
  endOf,
  firstRunning,
  momentOf,
  type PeriodQuery,
  periodEndOf,
} from './buckets';
import { ChartSection } from './ChartSection';
import type { PeopleLink } from './selection';
import {
  formatCount,
  localTimesIn,
  nameOfLine,
  useValueWords,
} from './valueNames';
import styles from '../analytics.module.css';

const COLORS = 8;
/** Aggregations whose numbers may be added up; the sum of daily users would count a user repeatedly. */
const ADDITIVE: ReadonlySet<string> = new Set(['total', 'sum']);
const DATE = /^\d{4}-\d{2}-\d{2}/;

/**
 * Shows each line as a bar chart, and as a table for screen readers. A line with a single
 * number for the whole period is shown as that number.
 *
 * @param props.marks - events to mark in the charts, in the local time of the buckets.
 * @param props.query - the query that returned the lines.
 */
export function TrendCharts(props: {
  lines: readonly TrendLine[];
  marks?: readonly ChartMark<string>[];
  query: PeriodQuery;
  /** True if the surroundings of the charts already name the only line. */
  isUntitled?: boolean;
  peopleLink?: PeopleLink;
}) {
  const { lines, query, marks = [] } = props;
  const { isUntitled = false, peopleLink } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const words = useValueWords();
  const isWhole = lines.some(line => line.aggregated_value !== undefined);
  return (
    <div
      className={isWhole ? styles.metrics : styles.charts}
      data-many={lines.length > 1}
    >
      {lines.map((line, index) => {
        const name = titleOf(
          nameOfLine(line, words),
          line,
          lines.some(each => isOtherMeasure(each, line)),
          t,
        );
        const label = line.compare_label
          ? `${name}, ${t(`trends.periodsCompared.${line.compare_label}`)}`
          : name;
        // The same event may be measured twice.
        const key = `${index} ${line.label} ${line.compare_label}`;
        // There are no people behind the result of a formula.
        const hrefOf =
          peopleLink && line.action !== null
            ? (place: { day?: string | number; date?: string } = {}) =>
                peopleLink({
                  series: line.action?.order ?? 0,
                  compare: line.compare_label,
                  breakdown: line.breakdown_value,
                  status: line.status,
                  ...place,
                })
            : undefined;
        return line.aggregated_value !== undefined ? (
          <Tile
            key={key}
            label={label}
            value={formatCount(line.aggregated_value)}
            footnote={
              hrefOf &&
              line.aggregated_value !== 0 && (
                <Link
                  to={hrefOf()}
                  aria-label={t('actors.showNamed', { name: label })}
                >
                  {t('actors.show')}
                </Link>
              )
            }
          />
        ) : (
          <TrendChart
            key={key}
            label={label}
            line={line}
            marks={marks}
            query={query}
            isUntitled={isUntitled}
            hrefOf={hrefOf}
            color={(index % COLORS) + 1}
          />
        );
      })}
    </div>
  );
}

function TrendChart(props: {
  label: string;
  line: TrendLine;
  marks: readonly ChartMark<string>[];
  query: PeriodQuery;
  isUntitled: boolean;
  /** Returns the address of the list of people behind an interval. */
  hrefOf?: (place: { day: string | number; date?: string }) => string;
  color: number;
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { pathname, search } = useLocation();
  const localTimes = localTimesIn(useProject().project?.timeZone ?? 'UTC');
  const { label, line, marks, query, isUntitled, hrefOf, color } = props;
  const { interval = 'day' } = query;
  // The buckets of stickiness are numbers of days, not times.
  const starts = line.days.map(String);
  const isOverTime = starts.every(start => DATE.test(start));
  const marked = isOverTime ? marksByBucket(starts, marks) : [];
  const now = localTimes.format(Date.now());
  const running = isOverTime
    ? firstRunning(starts, { unit: interval, now })
    : -1;
  const last = starts.length - 1;
  // Only the last interval can be cut short: the service reads events from the start of the first one.
  const isCutShort =
    isOverTime &&
    last >= 0 &&
    line.compare_label !== 'previous' &&
    periodEndOf(query, starts[last], localTimes) <
      Math.min(endOf(starts[last], interval), momentOf(now));
  const noteOf = (index: number) => {
    if (running !== -1 && index >= running) {
      return t('trends.running');
    }
    return isCutShort && index === last ? t('trends.cutShort') : undefined;
  };
  // Dormant people are negative numbers, but are drawn upwards like the others.
  const points = line.data.map((value, index): ChartPoint => ({
    id: isRepeated(starts, index) ? `${starts[index]} ${index}` : starts[index],
    label: dayTextOf(line.labels[index]),
    tick: tickOf(line.labels[index]),
    value: Math.abs(value),
    valueText: formatCount(Math.abs(value)),
    ...(noteOf(index) && { tentative: true, notes: [noteOf(index)!] }),
    ...(marked[index]?.length && { marks: marked[index] }),
    href:
      hrefOf && value !== 0
        ? hrefOf(
            isRepeated(starts, index)
              ? { day: index, date: starts[index] }
              : { day: line.days[index] },
          )
        : `${pathname}${search}`,
  }));
  const largest = Math.max(...points.map(({ value }) => value ?? 0));
  return (
    <ChartSection
      label={label}
      figure={isAdditive(line) ? formatCount(Math.abs(line.count)) : undefined}
      isUntitled={isUntitled}
    >
      <SeriesChart
        label={label}
        kind="bar"
        points={points}
        {...numberScale(largest, { whole: line.data.every(Number.isInteger) })}
        color={color}
        columns={{
          time: t('live.time'),
          value: t('trends.value'),
          notes: t('trends.notes'),
        }}
      />
    </ChartSection>
  );
}

/** Checks whether an earlier interval has the same local time, as when clocks repeat an hour. */
function isRepeated(starts: readonly string[], index: number): boolean {
  return starts.indexOf(starts[index]) < index;
}

/** Shortens the label of an interval for the axis: `21-Nov-2026` to `21 Nov`. */
export function tickOf(label: string): string {
  return label.replace(/-\d{4}/, '').replace('-', ' ');
}

/**
 * Formats the label of an interval like other dates: `21-Nov-2026 14:00` to `21 Nov 2026, 14:00`.
 * Other labels, such as `3 days`, stay the same.
 */
export function dayTextOf(label: string): string {
  return label.replace(
    /^(\d+)-(\w+)-(\d{4})( )?/,
    (_, day: string, month: string, year: string, space?: string) =>
      `${day} ${month} ${year}${space ? ', ' : ''}`,
  );
}

/** Checks whether the sum of a line is meaningful; that of a formula never is. */
function isAdditive({ action }: TrendLine): boolean {
  return action !== null && ADDITIVE.has(action?.math ?? 'total');
}

/** Checks whether two lines measure the same event in different ways. */
function isOtherMeasure(a: TrendLine, b: TrendLine): boolean {
  return (
    a.label === b.label &&
    (a.action?.math !== b.action?.math ||
      a.action?.math_property !== b.action?.math_property)
  );
}

/**
 * Returns the title of a line. It includes the measure if this aggregates a property, or
 * distinguishes the line from another one.
 */
function titleOf(
  name: string,
  { action }: TrendLine,
  isAmbiguous: boolean,
  t: Translate,
): string {
  const math = action?.math ?? 'total';
  const property = action?.math_property;
  if (property || isAmbiguous) {
    const words = t(`trends.choices.${math as 'total'}`);
    return property
      ? t('trends.measuredOf', { name, math: words, property })
      : t('trends.measured', { name, math: words });
  }
  return name;
}
