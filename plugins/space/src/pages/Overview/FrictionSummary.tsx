import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import { ReadFailure } from '@slipway/app-react';
import { LoadingRows, Panel } from '@slipway/design-system';
import { useTopFriction } from '../../data/useMetrics';
import { useLinks } from '../../data/useLinks';
import type { View } from '../../data/useView';
import { FrictionLines } from '../../friction/FrictionLines';
import { WithheldNote } from '../../friction/WithheldNote';
import { spaceTranslationRef } from '../../translation';
import styles from './Overview.module.css';

const SHOWN = 6;

/** What costs most, beside the five dimensions. */
export function FrictionSummary({ view }: { view: View }) {
  const { t } = useTranslationRef(spaceTranslationRef);
  const links = useLinks();
  const { data, error, isPending, refetch } = useTopFriction(view.query);
  return (
    <Panel
      title={t('friction.title')}
      action={
        <Link href={links.friction(view.filters.values)} variant="body-small">
          {t('friction.all')}
        </Link>
      }
    >
      {isPending && <LoadingRows label={t('friction.loading')} rows={4} />}
      {error && !data && (
        <ReadFailure
          title={t('friction.failed')}
          error={error}
          onRetry={() => refetch()}
        />
      )}
      {data && (
        <div className={styles.dimension}>
          {data.items.length > 0 && (
            <FrictionLines
              items={data.items.slice(0, SHOWN)}
              hrefOf={category => links.category(category, view.filters.values)}
            />
          )}
          {data.items.length === 0 && (
            <p className={styles.quiet}>{t('friction.emptyDescription')}</p>
          )}
          <WithheldNote top={data} />
        </div>
      )}
    </Panel>
  );
}
