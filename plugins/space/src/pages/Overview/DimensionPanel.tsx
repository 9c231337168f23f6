import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ReadFailure } from '@slipway/app-react';
import { InfoButton, LoadingBlock, Panel } from '@slipway/design-system';
import type { UseQueryResult } from '@tanstack/react-query';
import { TrendBadge } from '../../components/TrendBadge';
import { FIELDS } from '../../api/readReport';
import type { DimensionName, DimensionReport, Values } from '../../api/types';
import type { View } from '../../data/useView';
import { hasTrend } from '../../format/fields';
import { spaceTranslationRef } from '../../translation';
import { DimensionChart } from './DimensionChart';
import { DimensionNotes } from './DimensionNotes';
import { DimensionSource } from './DimensionSource';
import { FieldTile } from './FieldTile';
import { isMeasured } from './isMeasured';
import styles from './Overview.module.css';

/** One dimension: its numbers, where they go and what must be known of them. */
export function DimensionPanel(props: {
  name: DimensionName;
  result: UseQueryResult<DimensionReport>;
  /** Values of the period before, once they are known. */
  before: Values | undefined;
  view: View;
}) {
  const { name, result, before, view } = props;
  const { t } = useTranslationRef(spaceTranslationRef);
  const { data: report, error, isPending, refetch } = result;
  const title = t(`dimension.${name}`);
  const measured = report && isMeasured(report);
  return (
    <Panel
      title={title}
      action={
        <span className={styles.head}>
          {report && hasTrend(report) && <TrendBadge report={report} />}
          <InfoButton about={title}>
            <p>{t(`about.${name}`)}</p>
          </InfoButton>
        </span>
      }
    >
      {isPending && (
        <LoadingBlock
          label={t('overview.loading', { dimension: title })}
          height={280}
        />
      )}
      {error && !report && (
        <ReadFailure
          title={t('overview.failed', { dimension: title })}
          error={error}
          onRetry={() => refetch()}
        />
      )}
      {report && !measured && <DimensionSource name={name} />}
      {measured && (
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
                before={before?.[field]}
                days={view.days}
              />
            ))}
          </div>
          <DimensionNotes report={report} />
          <DimensionChart report={report} view={view} />
        </div>
      )}
    </Panel>
  );
}
