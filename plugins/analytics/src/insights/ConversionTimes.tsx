import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  type ChartPoint,
  formatDuration,
  numberScale,
  SeriesChart,
} from '@slipway/design-system';
import { useLocation } from 'react-router-dom';
import type { FunnelTimes } from '../api/InsightQuery';
import { analyticsTranslationRef } from '../translation';
import { ChartSection } from './ChartSection';
import { formatCount } from './valueNames';

/** Shows the distribution of the times that people took from the first to the last step of a funnel. */
export function ConversionTimes({ times }: { times: FunnelTimes }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { pathname, search } = useLocation();
  const { bins, average_conversion_time: average } = times;
  const label = t('insight.conversionTimes');
  const points = bins.map(([from, people], index): ChartPoint => {
    const to = bins[index + 1]?.[0];
    return {
      id: String(from),
      label:
        to === undefined
          ? t('insight.timeFrom', { from: durationOf(from) })
          : t('insight.timeBetween', {
              from: durationOf(from),
              to: durationOf(to),
            }),
      tick: durationOf(from),
      value: people,
      valueText: t('insight.peopleCount', {
        count: people,
        people: formatCount(people),
      }),
      href: `${pathname}${search}`,
    };
  });
  const most = Math.max(...bins.map(([, people]) => people));
  return (
    <ChartSection
      label={label}
      figure={
        average === null
          ? undefined
          : t('insight.average', { duration: durationOf(average) })
      }
    >
      <SeriesChart
        label={label}
        kind="bar"
        points={points}
        {...numberScale(most, { whole: true })}
        columns={{
          time: t('insight.time'),
          value: t('insight.people'),
          notes: t('trends.notes'),
        }}
      />
    </ChartSection>
  );
}

function durationOf(seconds: number): string {
  return seconds < 60
    ? `${Math.round(seconds)} s`
    : formatDuration(seconds * 1_000);
}
