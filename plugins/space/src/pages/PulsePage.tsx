import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { Done, Panel } from '@slipway/design-system';
import type { Pulse } from '../api/SpaceApi';
import { OthersPulse } from '../pulse/OthersPulse';
import { PulseForm } from '../pulse/PulseForm';
import { ReminderPanel } from '../pulse/Reminder';
import { spaceTranslationRef } from '../translation';
import styles from '../pulse/pulse.module.css';

/** Page with the pulse survey; afterwards shows the aggregated answers. */
export function PulsePage() {
  const { t } = useTranslationRef(spaceTranslationRef);
  const [sent, setSent] = useState<Pulse>();
  const [isSent, setIsSent] = useState(false);
  return (
    <div className={styles.columns}>
      {isSent ? (
        <Panel title={t('pulse.doneTitle')}>
          <div className={styles.stack}>
            <Done>{t('pulse.done')}</Done>
            <p className={styles.quiet}>{t('pulse.replaces')}</p>
            <div>
              <Button
                size="small"
                variant="secondary"
                onPress={() => setIsSent(false)}
              >
                {t('pulse.again')}
              </Button>
            </div>
          </div>
        </Panel>
      ) : (
        <Panel title={t('pulse.title')}>
          <div className={styles.stack}>
            <p className={styles.intro}>{t('pulse.intro')}</p>
            <PulseForm
              takesFocus
              initial={sent}
              onSent={pulse => {
                setSent(pulse);
                setIsSent(true);
              }}
            />
          </div>
        </Panel>
      )}
      <div className={styles.side}>
        {isSent && (
          <Panel title={t('others.title')}>
            <OthersPulse />
          </Panel>
        )}
        <ReminderPanel />
      </div>
    </div>
  );
}
