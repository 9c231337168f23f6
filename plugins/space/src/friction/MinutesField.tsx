import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, NumberField } from '@backstage/ui';
import { formatMinutes } from '../format/minutesLost';
import { spaceTranslationRef } from '../translation';
import styles from './friction.module.css';

/** What most entries are. */
const QUICK = [15, 30, 60, 240];

/** How long something took, in minutes, by number or by one of a few usual ones. */
export function MinutesField(props: {
  value: number | undefined;
  onChange(value: number | undefined): void;
  isMissing: boolean;
}) {
  const { value, onChange, isMissing } = props;
  const { t } = useTranslationRef(spaceTranslationRef);
  return (
    <div>
      <NumberField
        label={t('logFriction.minutes')}
        minValue={0}
        maxValue={120_000}
        step={1}
        value={value ?? NaN}
        onChange={next => onChange(Number.isNaN(next) ? undefined : next)}
        validationBehavior="aria"
        validate={() => !isMissing || t('logFriction.minutesMissing')}
      />
      <div
        className={styles.quick}
        role="group"
        aria-label={t('logFriction.quick')}
      >
        {QUICK.map(minutes => (
          <Button
            key={minutes}
            size="small"
            variant="tertiary"
            onPress={() => onChange(minutes)}
          >
            {formatMinutes(minutes)}
          </Button>
        ))}
      </div>
    </div>
  );
}
