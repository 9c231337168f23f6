import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link, Text } from '@backstage/ui';
import { Loaded, useTitles } from '@slipway/app-react';
import { LoadingRows, Tile } from '@slipway/design-system';
import type { DimensionReport } from '../api/SpaceApi';
import { formatField, samplesText } from '../format/fieldValue';
import { shownOf } from '../format/fields';
import { useDimension, useMyTeam } from '../queries';
import { useLinks } from '../routes';
import { spaceTranslationRef } from '../translation';
import { Stances } from './Stances';
import styles from './pulse.module.css';

/** Shows the aggregated answers of the user's team. */
export function OthersPulse() {
  const { t } = useTranslationRef(spaceTranslationRef);
  const links = useLinks();
  const { team, query } = useMyTeam();
  const titleOf = useTitles(team ? [team] : [], { kind: 'group' });
  return (
    <Loaded
      query={useDimension('satisfaction', query)}
      failed={t('others.failed')}
      loading={<LoadingRows label={t('others.loading')} rows={2} />}
    >
      {report => (
        <div className={styles.stack}>
          <Text as="p" variant="body-small" color="secondary">
            {team
              ? t('others.team', { team: titleOf(team) })
              : t('others.everybody')}
          </Text>
          <Answers report={report} />
          <Link href={links.overview({ team })} variant="body-small">
            {t('others.open')}
          </Link>
        </div>
      )}
    </Loaded>
  );
}

function Answers({ report }: { report: DimensionReport }) {
  const { t } = useTranslationRef(spaceTranslationRef);
  const rating = shownOf('avg_rating', report);
  const score = shownOf('enps_score', report);
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
      <Stances report={report} />
    </>
  );
}
