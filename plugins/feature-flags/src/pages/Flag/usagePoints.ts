import type { ChartPoint } from '@slipway/design-system';
import type { Interval, UsagePoint } from '../../api/types';

/** Words around the numbers of a point. */
export interface UsageWords {
  evaluations(count: number): string;
  on(count: number): string;
  tentative: string;
}

/**
 * Usage as the points of a chart, in the reader's zone; days are those of UTC, as the
 * service counts them.
 */
export function usagePoints(
  usage: readonly UsagePoint[],
  options: { interval: Interval; href: string; words: UsageWords },
): ChartPoint[] {
  const { interval, href, words } = options;
  const isDay = interval === 'day';
  const tick = new Intl.DateTimeFormat(
    undefined,
    isDay
      ? { day: 'numeric', month: 'short', timeZone: 'UTC' }
      : { hour: '2-digit', minute: '2-digit' },
  );
  const label = new Intl.DateTimeFormat(
    undefined,
    isDay
      ? { dateStyle: 'long', timeZone: 'UTC' }
      : { dateStyle: 'medium', timeStyle: 'short' },
  );
  return usage.map(({ timestamp, yes, no }, index) => {
    const time = new Date(timestamp);
    const isCurrent = index === usage.length - 1;
    return {
      id: timestamp,
      label: label.format(time),
      tick: tick.format(time),
      value: yes + no,
      valueText: words.evaluations(yes + no),
      notes: [words.on(yes), ...(isCurrent ? [words.tentative] : [])],
      tentative: isCurrent,
      href,
    };
  });
}
