import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, DialogBody, DialogFooter } from '@backstage/ui';
import { ReadFailure } from '@slipway/app-react';
import { LoadingRows } from '@slipway/design-system';
import { Done } from '../components/Done';
import type { Friction } from '../api/types';
import { useTopFriction } from '../data/useMetrics';
import { useMyTeam } from '../data/useMyTeam';
import { formatMinutes } from '../format/minutesLost';
import { spaceTranslationRef } from '../translation';
import { categoryName } from './categories';
import { FrictionLines } from './FrictionLines';
import styles from './friction.module.css';

const SHOWN = 3;

/** Content of a dialog: says that friction was logged, and what others logged. */
export function FrictionLogged(props: {
  friction: Friction;
  onAnother(): void;
}) {
  const { friction, onAnother } = props;
  const { t } = useTranslationRef(spaceTranslationRef);
  return (
    <>
      <DialogBody>
        <div className={styles.done}>
          <Done>
            {t('logFriction.done', {
              category: categoryName(t, friction.category),
              duration: formatMinutes(friction.minutesLost),
            })}
          </Done>
          <h3>{t('logFriction.others')}</h3>
          <OthersFriction />
        </div>
      </DialogBody>
      <DialogFooter>
        <Button variant="secondary" onPress={onAnother}>
          {t('logFriction.another')}
        </Button>
        <Button variant="primary" slot="close">
          {t('logFriction.close')}
        </Button>
      </DialogFooter>
    </>
  );
}

function OthersFriction() {
  const { t } = useTranslationRef(spaceTranslationRef);
  const { query } = useMyTeam();
  const { data, error, isPending, refetch } = useTopFriction(query);
  if (isPending) {
    return <LoadingRows label={t('friction.loading')} rows={SHOWN} />;
  }
  if (error && !data) {
    return (
      <ReadFailure
        title={t('friction.failed')}
        error={error}
        onRetry={() => refetch()}
      />
    );
  }
  if (data.items.length === 0) {
    return (
      <p className={styles.quiet}>
        {t('logFriction.othersNone', {
          count: data.minimumGroupSize,
        })}
      </p>
    );
  }
  return <FrictionLines items={data.items.slice(0, SHOWN)} />;
}
