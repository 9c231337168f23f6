import { useTranslationRef } from '@backstage/frontend-plugin-api';
import type { InsightQuery } from '../api/InsightQuery';
import type { ActorsSource } from '../api/PeopleApi';
import type { SelectedNumber } from '../insights/selection';
import {
  formatStart,
  nameOfValues,
  placeOf,
  useIdWords,
} from '../insights/valueNames';
import { analyticsTranslationRef, type Translate } from '../translation';

/** Returns the name of a number: its event and interval, its step, or its row. */
export function useActorsTitle(selected: SelectedNumber): string {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { of } = selected;
  const words = useIdWords(of.source);
  const value = of.breakdown ?? of.funnelStepBreakdown;
  const valueName = value === undefined ? [] : [nameOfValues(value, words)];
  return [nameOfNumber(selected, t), ...valueName].join(', ');
}

function nameOfNumber({ of, date }: SelectedNumber, t: Translate): string {
  const { source: query } = of;
  switch (query.kind) {
    case 'FunnelsQuery': {
      const { funnelStep = 1 } = of;
      const step = Math.abs(funnelStep);
      const name = eventOf(query, step - 1, t);
      return t(funnelStep > 0 ? 'actors.reached' : 'actors.dropped', {
        step: String(step),
        name,
      });
    }
    case 'LifecycleQuery': {
      const name = nameOfInterval({ of, date }, t);
      return of.status ? t(`actors.lifecycle.${of.status}`, { name }) : name;
    }
    case 'PathsQuery': {
      const { pathStartKey = '', pathEndKey = '' } = query.pathsFilter ?? {};
      const { step, place: from } = placeOf(pathStartKey);
      const { place: to } = placeOf(pathEndKey);
      return t('actors.moved', { from, to, step: String(step) });
    }
    case 'StickinessQuery': {
      const event = eventOf(query, of.series ?? 0, t);
      const name = nameOfActivity(event, of, t);
      return of.compare === 'previous' ? t('actors.previous', { name }) : name;
    }
    case 'RetentionQuery': {
      const { returnInterval: later = 0 } = of;
      const { period = 'Day' } = query.retentionFilter ?? {};
      const start = date
        ? t('actors.started', { date: formatStart(date) })
        : t('actors.startedAny');
      return later === 0
        ? start
        : t('actors.returned', { start, period: `${period} ${later}` });
    }
    default: {
      const name = nameOfInterval({ of, date }, t);
      return of.compare === 'previous' ? t('actors.previous', { name }) : name;
    }
  }
}

/** Returns the name of an event, and of the interval in which it is counted. */
function nameOfInterval({ of, date }: SelectedNumber, t: Translate): string {
  const event = eventOf(of.source, of.series ?? 0, t);
  // The index of an interval does not reveal its time.
  const start = date ?? (typeof of.day === 'string' ? of.day : undefined);
  return [event, ...(start ? [formatStart(start)] : [])].join(', ');
}

const UNITS = ['hour', 'day', 'week', 'month'] as const;

/** Returns the name of an event, and the number of intervals in which users had it. */
function nameOfActivity(
  event: string,
  { source, day }: ActorsSource,
  t: Translate,
): string {
  const { interval, stickinessFilter } = source;
  const unit = UNITS.find(each => each === interval) ?? 'day';
  const count = Number(day ?? 1);
  const active = t(`actors.activeIn.${unit as 'day'}`, { name: event, count });
  const isOrMore =
    day === undefined || stickinessFilter?.computedAs === 'cumulative';
  return isOrMore ? t('actors.orMore', { name: active }) : active;
}

function eventOf({ series }: InsightQuery, index: number, t: Translate) {
  return series?.[index]?.event || t('live.anyEvent');
}
