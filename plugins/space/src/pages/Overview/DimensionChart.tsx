import { useMemo, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select, ToggleButton } from '@backstage/ui';
import { RiTableLine } from '@remixicon/react';
import {
  type ChartPoint,
  formatDay,
  formatDays,
  formatRange,
  METRIC_COLORS,
  SeriesTable,
  TimeSeriesChart,
  today,
} from '@slipway/design-system';
import {
  type DimensionReport,
  DIMENSIONS,
  type FieldName,
  type Granularity,
  type Reading,
} from '../../api/SpaceApi';
import { FIELDS } from '../../api/answers';
import type { View } from '../../components/SpaceFilterBar';
import { fieldScale, formatField, samplesText } from '../../format/fieldValue';
import { FIELD, shownOf } from '../../format/fields';
import { useLinks } from '../../routes';
import { spaceTranslationRef, type Translate } from '../../translation';
import styles from './Overview.module.css';

/**
 * Colours of the metrics that other pages draw too; other fields have the colour of their
 * dimension.
 */
const COLORS: Readonly<Partial<Record<FieldName, number>>> = {
  deployment_frequency: METRIC_COLORS.deploymentFrequency,
  lead_time_hours: METRIC_COLORS.leadTime,
  time_to_production_hours: METRIC_COLORS.leadTime,
  build_success_rate: METRIC_COLORS.buildSuccessRate,
};

const TITLES = {
  daily: 'chart.byDaily',
  weekly: 'chart.byWeekly',
  monthly: 'chart.byMonthly',
} as const satisfies Record<Granularity, string>;

/** Returns the first field with a value, which the chart shows initially. */
function firstShown(report: DimensionReport): FieldName {
  const fields = FIELDS[report.dimension];
  return (
    fields.find(name => shownOf(name, report).state === 'value') ?? fields[0]
  );
}

/** Shows one field of a dimension over time, as a chart or a table. */
export function DimensionChart(props: { report: DimensionReport; view: View }) {
  const { report, view } = props;
  const { dimension } = report;
  const { t } = useTranslationRef(spaceTranslationRef);
  const links = useLinks();
  const [chosenField, setField] = useState<FieldName>();
  const field = chosenField ?? firstShown(report);
  const [isTable, setIsTable] = useState(false);
  const { team } = view.filters.values;
  const points = useMemo(
    () => seriesPoints({ t, links, report, field, team }),
    [t, links, report, field, team],
  );
  const isDrawable = points.some(({ value }) => value !== null);
  const largest = Math.max(0, ...points.map(({ value }) => value ?? 0));
  const label = t(TITLES[view.granularity], { field: t(`field.${field}`) });
  return (
    <div className={styles.chart}>
      <div className={styles.chartHead}>
        <Select
          className={styles.fieldPicker}
          size="small"
          aria-label={t('chart.field', {
            dimension: t(`dimension.${dimension}`),
          })}
          value={field}
          onChange={key => {
            const chosen = FIELDS[dimension].find(name => name === key);
            if (chosen) {
              setField(chosen);
            }
          }}
          options={FIELDS[dimension].map(id => ({
            id,
            label: t(`field.${id}`),
          }))}
        />
        <ToggleButton
          size="small"
          aria-label={t('chart.asTable', {
            dimension: t(`dimension.${dimension}`),
          })}
          isSelected={isTable}
          onChange={setIsTable}
          iconStart={<RiTableLine size={16} aria-hidden />}
        />
      </div>
      {!isTable && !isDrawable && (
        <p className={styles.quiet}>{t('chart.nothing')}</p>
      )}
      {!isTable && isDrawable && (
        <TimeSeriesChart
          label={label}
          kind={FIELD[field].chart}
          // There may be weeks between two surveys.
          spansGaps={FIELD[field].basis === 'responses'}
          points={points}
          {...fieldScale(field, largest)}
          color={COLORS[field] ?? DIMENSIONS.indexOf(dimension) + 1}
          height={120}
        />
      )}
      <SeriesTable
        label={label}
        points={points}
        hidden={!isTable}
        columns={{
          time: t('chart.time'),
          value: t('chart.value'),
          notes: t('chart.notes'),
        }}
      />
    </div>
  );
}

/** Converts one field of a series to the points of a chart; each point links to its days. */
function seriesPoints(options: {
  t: Translate;
  links: ReturnType<typeof useLinks>;
  report: DimensionReport;
  field: FieldName;
  team: string;
}): ChartPoint[] {
  const { t, links, report, field, team } = options;
  const date = today();
  return report.series.map((reading): ChartPoint => {
    const { startDate, endDate } = reading;
    return {
      id: startDate,
      label: formatDays({ startDate, endDate }),
      tick: formatDay(startDate),
      ...valueOf(t, { report, reading, field }),
      // An interval that includes today is incomplete.
      tentative: endDate >= date,
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
