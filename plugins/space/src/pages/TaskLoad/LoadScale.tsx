import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Slider } from '@backstage/ui';
import type { AssessmentForm } from '../../api/types';
import { spaceTranslationRef } from '../../translation';
import styles from './TaskLoad.module.css';

/**
 * One scale of the assessment. It stands in its middle until it is marked: an
 * answer that nobody gave must not count.
 */
export function LoadScale(props: {
  dimension: AssessmentForm['dimensions'][number];
  scale: AssessmentForm['scale'];
  /** undefined: not marked yet. */
  value: number | undefined;
  onChange(value: number): void;
}) {
  const { dimension, scale, value, onChange } = props;
  const { t } = useTranslationRef(spaceTranslationRef);
  const { min, max, step } = scale;
  return (
    <div className={styles.scale} data-marked={value !== undefined}>
      <Slider
        label={dimension.label}
        secondaryLabel={value === undefined ? t('load.notMarked') : undefined}
        description={dimension.question}
        minValue={min}
        maxValue={max}
        step={step}
        value={value ?? (min + max) / 2}
        onChange={onChange}
        // A press on the middle changes nothing, and is an answer.
        onChangeEnd={onChange}
      />
      <div className={styles.ends} aria-hidden>
        <span>
          {min} · {dimension.low_label}
        </span>
        <span>
          {dimension.high_label} · {max}
        </span>
      </div>
    </div>
  );
}
