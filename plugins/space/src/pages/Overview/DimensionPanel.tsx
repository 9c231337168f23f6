import { useMemo } from 'react';
import {
  configApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import {
  type RemixiconComponentType,
  RiArrowRightDownLine,
  RiArrowRightLine,
  RiArrowRightUpLine,
} from '@remixicon/react';
import { Loaded } from '@slipway/app-react';
import {
  CodeLine,
  InfoButton,
  LoadingBlock,
  Panel,
  StatusBadge,
  Tile,
  type Tone,
} from '@slipway/design-system';
import type { UseQueryResult } from '@tanstack/react-query';
import type {
  DimensionName,
  DimensionReport,
  FieldName,
  Trend,
  Values,
} from '../../api/SpaceApi';
import { FIELDS } from '../../api/answers';
import { DimensionNotes } from '../../components/Notes';
import type { View } from '../../components/SpaceFilterBar';
import {
  describeChange,
  formatField,
  samplesText,
} from '../../format/fieldValue';
import { hasTrend, shownOf, UNJUDGED } from '../../format/fields';
import { Stances } from '../../pulse/Stances';
import { spaceTranslationRef } from '../../translation';
import { DimensionChart } from './DimensionChart';
import { curlLine } from './curlLine';
import styles from './Overview.module.css';

/** Shows one dimension: its numbers, their trends and notes about them. */
export function DimensionPanel(props: {
  name: DimensionName;
  query: UseQueryResult<DimensionReport>;
  /** Values of the previous period, once loaded. */
  before: Values | undefined;
  /** True while the values of the previous period are loading. */
  isWaiting: boolean;
  view: View;
}) {
  const { name, query, before, isWaiting, view } = props;
  const { t } = useTranslationRef(spaceTranslationRef);
  const { data } = query;
  const title = t(`dimension.${name}`);
  const loading = (
    <LoadingBlock
      label={t('overview.loading', { dimension: title })}
      height={340}
      narrowHeight={495}
    />
  );
  return (
    <Panel
      title={title}
      action={
        <span className={styles.head}>
          {data && hasTrend(data) && <TrendBadge report={data} />}
          <InfoButton about={title}>
            <p>{t(`about.${name}`)}</p>
          </InfoButton>
        </span>
      }
    >
      <Loaded
        query={query}
        failed={t('overview.failed', { dimension: title })}
        loading={loading}
      >
        {report => {
          if (isWaiting) {
            return loading;
          }
          return isMeasured(report) ? (
            <div className={styles.dimension}>
              {name === 'activity' && (
                <p className={styles.caution}>{t('caution.activity')}</p>
              )}
              <div className={styles.tiles}>
                {FIELDS[name].map(field => (
                  <FieldTile
                    key={field}
                    name={field}
                    report={report}
                    before={before && measuredValue(before, field)}
                    days={view.days}
                  />
                ))}
              </div>
              <Stances report={report} />
              <DimensionNotes report={report} />
              <DimensionChart report={report} view={view} />
            </div>
          ) : (
            <DimensionSource name={name} />
          );
        }}
      </Loaded>
    </Panel>
  );
}

/** Returns whether a dimension has any data, shown or hidden. */
export function isMeasured({ samples, values }: DimensionReport): boolean {
  return (
    Object.values(samples).some(count => count > 0) ||
    Object.values(values).includes(null)
  );
}

/** Returns a value of a period; undefined for the score of a period in which nobody answered. */
function measuredValue(values: Values, name: FieldName) {
  return name === 'enps_score' && !values.response_count
    ? undefined
    : values[name];
}

const ICONS: Record<Trend, RemixiconComponentType> = {
  improving: RiArrowRightUpLine,
  stable: RiArrowRightLine,
  declining: RiArrowRightDownLine,
};
const TONES: Record<Trend, Tone> = {
  improving: 'success',
  stable: 'neutral',
  declining: 'danger',
};
const UNJUDGED_WORDS = {
  improving: 'trend.more',
  stable: 'trend.same',
  declining: 'trend.less',
} as const;

/** Describes the trend of a dimension in words; without judgement for activity. */
function TrendBadge({ report }: { report: DimensionReport }) {
  const { t } = useTranslationRef(spaceTranslationRef);
  const { dimension, trend } = report;
  const isUnjudged = UNJUDGED.includes(dimension);
  return (
    <StatusBadge
      tone={isUnjudged ? 'neutral' : TONES[trend]}
      icon={ICONS[trend]}
      label={t(isUnjudged ? UNJUDGED_WORDS[trend] : `trend.${trend}`)}
    />
  );
}

/** Shows a field of a dimension: its value, or why there is none. */
function FieldTile(props: {
  name: FieldName;
  report: DimensionReport;
  /** Value of the previous period, once loaded. */
  before: number | null | undefined;
  /** Length of the period in days. */
  days: number;
}) {
  const { name, report, before, days } = props;
  const { t } = useTranslationRef(spaceTranslationRef);
  const shown = shownOf(name, report);
  const common = {
    label: t(`field.${name}`),
    definition: <p>{t(`definition.${name}`)}</p>,
    size: 'small',
  } as const;
  if (shown.state === 'none') {
    return <Tile {...common} value={t('value.none')} isEmpty />;
  }
  if (shown.state === 'hidden') {
    const count = report.minimumGroupSize;
    return (
      <Tile
        {...common}
        value={t('value.hidden')}
        isEmpty
        footnote={t('hidden.short', { count })}
      />
    );
  }
  const { value, samples } = shown;
  const { weeks } = report;
  const change = describeChange(t, name, { value, before, days, weeks });
  return (
    <Tile
      {...common}
      value={formatField(t, name, value)}
      change={change}
      footnote={samplesText(t, name, samples)}
    />
  );
}

/** Explains the source of a dimension's numbers while there are none. */
function DimensionSource({ name }: { name: DimensionName }) {
  const { t } = useTranslationRef(spaceTranslationRef);
  const config = useApi(configApiRef);
  const isDevelopment =
    config.getOptionalString('app.signIn.method') === 'development';
  // Created once, because a user cannot select text that changes.
  const line = useMemo(
    () => curlLine(name, { isDevelopment, now: Date.now() }),
    [name, isDevelopment],
  );
  return (
    <div className={styles.dimension}>
      <p className={styles.quiet}>
        {t('value.none')}. {t(`source.${name}`)}
      </p>
      <CodeLine
        code={line}
        label={t('source.copy', { dimension: t(`dimension.${name}`) })}
      />
    </div>
  );
}
