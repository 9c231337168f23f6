import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link, Text } from '@backstage/ui';
import { ReadFailure } from '@slipway/app-react';
import { LoadingRows, Tile } from '@slipway/design-system';
import type { DimensionReport } from '../api/types';
import { useDimension } from '../data/useMetrics';
import { useLinks } from '../data/useLinks';
import { useMyTeam } from '../data/useMyTeam';
import { shownOf } from '../format/fields';
import { formatField } from '../format/fieldValue';
import { samplesText } from '../format/samplesText';
import { spaceTranslationRef } from '../translation';
import styles from './pulse.module.css';

/** What the reader's team answered, in aggregate. */
export function OthersPulse() {
  const { t } = useTranslationRef(spaceTranslationRef);
  const links = useLinks();
  const { team, query } = useMyTeam();
  const { data, error, isPending, refetch } = useDimension(
    'satisfaction',
    query,
  );
  if (isPending) {
    return <LoadingRows label={t('others.loading')} rows={2} />;
  }
  if (error) {
    return (
      <ReadFailure
        title={t('others.failed')}
        error={error}
        onRetry={() => refetch()}
      />
    );
  }
  return (
    <div className={styles.stack}>
      <Text as="p" variant="body-small" color="secondary">
        {team ? t('others.team', { team }) : t('others.everybody')}
      </Text>
      <Answers report={data} />
      <Link href={links.overview({ team })} variant="body-small">
        {t('others.open')}
      </Link>
    </div>
  );
}

function Answers({ report }: { report: DimensionReport }) {
  const { t } = useTranslationRef(spaceTranslationRef);
  const rating = shownOf('avg_rating', report);
  const score = shownOf('enps_score', report);
  const { promoters, passives, detractors } = report.stances ?? {};
  if (rating.state !== 'value' || score.state !== 'value') {
    return <p>{t('others.hidden', { count: report.minimumGroupSize })}</p>;
  }
  return (
    <>
      <div className={styles.numbers}>
        <Tile
          size="small"
          label={t('field.avg_rating')}
          value={formatField(t, 'avg_rating', rating.value)}
          footnote={samplesText(t, 'avg_rating', rating.samples)}
        />
        <Tile
          size="small"
          label={t('field.enps_score')}
          value={formatField(t, 'enps_score', score.value)}
          footnote={samplesText(t, 'enps_score', score.samples)}
        />
      </div>
      <p className={styles.quiet}>
        {t('others.stances', {
          promoters: String(promoters),
          passives: String(passives),
          detractors: String(detractors),
        })}
      </p>
    </>
  );
}
