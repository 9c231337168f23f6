import {
  type ChartPoint,
  formatDay,
  formatDays,
  formatRange,
} from '@slipway/design-system';
import type { DimensionReport, FieldName, Reading } from '../../api/types';
import type { useLinks } from '../../data/useLinks';
import { shownOf } from '../../format/fields';
import { formatField } from '../../format/fieldValue';
import { samplesText } from '../../format/samplesText';
import type { Translate } from '../../translation';

/** One number of a series as the points of a chart; each leads to its own days. */
export function seriesPoints(options: {
  t: Translate;
  links: ReturnType<typeof useLinks>;
  report: DimensionReport;
  field: FieldName;
  team: string;
  /** `YYYY-MM-DD`: a part that holds it goes on. */
  today: string;
}): ChartPoint[] {
  const { t, links, report, field, team, today } = options;
  return report.series.map((reading): ChartPoint => {
    const { startDate, endDate } = reading;
    return {
      id: startDate,
      label: formatDays({ startDate, endDate }),
      tick: formatDay(startDate),
      ...valueOf(t, { report, reading, field }),
      tentative: endDate >= today,
      href: links.overview({
        team,
        period: formatRange({ startDate, endDate }),
        granularity: 'daily',
      }),
    };
  });
}

function valueOf(
  t: Translate,
  options: { report: DimensionReport; reading: Reading; field: FieldName },
): Pick<ChartPoint, 'value' | 'valueText' | 'notes'> {
  const { report, reading, field } = options;
  const shown = shownOf(field, reading);
  switch (shown.state) {
    case 'none':
      return { value: null, valueText: t('value.none') };
    case 'hidden':
      return {
        value: null,
        valueText: t('chart.hidden', {
          count: report.minimumGroupSize,
        }),
      };
    default: {
      const basis = samplesText(t, field, shown.samples);
      return {
        value: shown.value,
        valueText: formatField(t, field, shown.value),
        notes: basis ? [basis] : [],
      };
    }
  }
}
