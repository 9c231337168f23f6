import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { formatDay, formatPercent } from '@slipway/design-system';
import type { BreakdownValue, InsightQuery } from '../api/InsightQuery';
import { useCohorts } from '../cohorts/cohortQueries';
import { useProject } from '../projectQueries';
import { analyticsTranslationRef } from '../translation';

/** The words for an absent value of a breakdown, and for all values that are not shown separately. */
interface ValueWords {
  none: string;
  other: string;
  /** The names of cohorts by their ids, in a breakdown by cohorts. */
  cohorts?: ReadonlyMap<string, string>;
}

/** Returns the words that {@link nameOfValue}, {@link nameOfValues} and {@link nameOfLine} need. */
export function useValueWords(): ValueWords {
  const { t } = useTranslationRef(analyticsTranslationRef);
  return { none: t('trends.none'), other: t('trends.other') };
}

/** Returns {@link useValueWords}, with the names of cohorts if they are what a query is broken down by. */
export function useIdWords({
  breakdownFilter,
}: Pick<InsightQuery, 'breakdownFilter'>): ValueWords {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const words = useValueWords();
  const { project } = useProject();
  const isOfCohorts = breakdownFilter?.breakdown_type === 'cohort';
  const { data: cohorts = [] } = useCohorts(isOfCohorts ? project : undefined);
  return isOfCohorts
    ? {
        ...words,
        cohorts: new Map<string, string>([
          ['all', t('cohorts.everybody')],
          ['others', t('cohorts.everybodyElse')],
          ...cohorts.map(({ id, name }): [string, string] => [
            String(id),
            name,
          ]),
        ]),
      }
    : words;
}

const NONE = '$$_posthog_breakdown_null_$$';
const OTHER = '$$_posthog_breakdown_other_$$';

/**
 * Returns a value's name, with words for an empty value and for PostHog's markers of no
 * value and of all other values.
 */
export function nameOfValue(label: string, words: ValueWords): string {
  const cohort = words.cohorts?.get(label);
  if (cohort !== undefined) {
    return cohort;
  }
  if (label === '') {
    return words.none;
  }
  return label.split('::').every(part => part === OTHER)
    ? words.other
    : label.replaceAll(NONE, words.none).replaceAll(OTHER, words.other);
}

/** Returns the name of a breakdown value, or of its values for several properties. */
export function nameOfValues(value: BreakdownValue, words: ValueWords): string {
  const names = [value].flat().map(each => nameOfValue(String(each), words));
  return names.every(name => name === words.other)
    ? words.other
    : names.join(', ');
}

/**
 * Returns the name of a result's line, whose label the service joins from the values of the
 * breakdown.
 */
export function nameOfLine(
  line: { label: string; breakdown_value?: BreakdownValue },
  words: ValueWords,
): string {
  const { label, breakdown_value: value } = line;
  return Array.isArray(value) && value.length > 1
    ? label.replace(value.join('::'), () => nameOfValues(value, words))
    : nameOfValue(label, words);
}

/** Splits the name of a place in a path into the number of its step and the page or event. */
export function placeOf(name: string): { step: number; place: string } {
  const at = name.indexOf('_');
  return { step: Number(name.slice(0, at)), place: name.slice(at + 1) };
}

/** Formats a number such as `1,234`. */
export function formatCount(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 2 });
}

/** Formats a share such as `37.5%`; a dash if the whole is 0. */
export function formatShare(part: number, whole: number): string {
  return whole === 0 ? '–' : formatPercent((100 * part) / whole);
}

/**
 * Returns a format for the local times of a zone, like the buckets of charts: `2026-11-21
 * 00:30:00`.
 */
export function localTimesIn(zone: string): Intl.DateTimeFormat {
  // The Swedish locale formats times as ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone: zone,
  });
}

/** Formats the start of an interval, without the time of day if it is midnight: "4 Oct, 14:00". */
export function formatStart(date: string): string {
  const time = date.slice(11, 16);
  return [formatDay(date.slice(0, 10)), time === '00:00' ? '' : time]
    .filter(Boolean)
    .join(', ');
}
