import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  type ChartPoint,
  SeriesTable,
  TimeSeriesChart,
  formatDuration,
  formatRelative,
} from '@slipway/design-system';
import type { JobDetails } from '../../api/types';
import { useLinks } from '../../data/useLinks';
import { buildsTranslationRef } from '../../translation';

const SHOWN = 30;

/** Duration by build, oldest first; each bar leads to its build. */
export function DurationChart({ job }: { job: JobDetails }) {
  const { t } = useTranslationRef(buildsTranslationRef);
  const links = useLinks();
  const points = job.builds
    .slice(0, SHOWN)
    .reverse()
    .map(({ number, elapsed, result, building, timestamp }): ChartPoint => ({
      id: String(number),
      label: t('job.point', { number: String(number) }),
      tick: `#${number}`,
      value: elapsed / 1_000,
      valueText: formatDuration(elapsed),
      notes: [
        t('job.samples', {
          result: t(`result.${result ?? 'running'}`),
          time: formatRelative(timestamp, Date.now()),
        }),
      ],
      tentative: building,
      href: links.build(job.name, number),
    }));
  const label = t('job.durationsLabel');
  return (
    <>
      <TimeSeriesChart
        label={label}
        kind="bar"
        points={points}
        formatTick={seconds => formatDuration(seconds * 1_000)}
      />
      <SeriesTable
        label={label}
        points={points}
        columns={{
          time: t('job.build'),
          value: t('job.duration'),
          notes: t('job.result'),
        }}
        hidden
      />
    </>
  );
}
