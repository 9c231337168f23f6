import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, TextAreaField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { RatingScale } from '@slipway/design-system';
import type { Pulse } from '../api/SpaceApi';
import { useSubmitPulse } from '../queries';
import { spaceTranslationRef } from '../translation';
import styles from './pulse.module.css';

/** The answers given so far. */
interface PulseAnswers {
  satisfaction?: number;
  productivity?: number;
  recommend?: number;
  blockers: string;
  wins: string;
}

const NO_ANSWERS: PulseAnswers = { blockers: '', wins: '' };

/** Manages the state of the pulse survey: its answers, missing ones, and submission. */
function usePulseForm(onSent: () => void) {
  const [answers, setAnswers] = useState(NO_ANSWERS);
  const [isChecked, setIsChecked] = useState(false);
  const { mutate, error, isPending } = useSubmitPulse();
  const { satisfaction, productivity, recommend } = answers;

  const submit = () => {
    setIsChecked(true);
    if (satisfaction && productivity && !isPending) {
      const pulse: Pulse = {
        satisfaction,
        productivity,
        ...(recommend !== undefined && { recommend }),
        blockers: answers.blockers.trim(),
        wins: answers.wins.trim(),
      };
      mutate(pulse, { onSuccess: onSent });
    }
  };
  return {
    answers,
    set: (change: Partial<PulseAnswers>) =>
      setAnswers(current => ({ ...current, ...change })),
    isMissing: (scale: 'satisfaction' | 'productivity') =>
      isChecked && answers[scale] === undefined,
    submit,
    error,
    isPending,
  };
}

const SCALES = ['satisfaction', 'productivity'] as const;

/**
 * Shows the pulse survey. Two digits and Enter are enough: each digit moves the focus to the next
 * question, and the last one to the button.
 */
export function PulseForm(props: {
  /** True to show only the two questions, for a card. */
  isShort?: boolean;
  /** True if the form is the main content of the page. */
  takesFocus?: boolean;
  onSent(): void;
}) {
  const { isShort = false, takesFocus = false, onSent } = props;
  const { t } = useTranslationRef(spaceTranslationRef);
  const ref = useRef<HTMLFormElement>(null);
  const { answers, set, isMissing, submit, error, isPending } =
    usePulseForm(onSent);

  const focusScale = (index: number) => {
    const scale = ref.current?.querySelectorAll('fieldset')[index];
    scale?.querySelector('input')?.focus();
  };
  useEffect(() => {
    if (takesFocus) {
      ref.current?.querySelector('input')?.focus();
    }
  }, [takesFocus]);

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit();
    const first = SCALES.findIndex(scale => answers[scale] === undefined);
    if (first >= 0) {
      focusScale(first);
    }
  };
  const onDigit = (index: number) => {
    if (index + 1 < SCALES.length) {
      focusScale(index + 1);
    } else {
      ref.current?.querySelector<HTMLElement>('button[type="submit"]')?.focus();
    }
  };

  return (
    <form ref={ref} className={styles.form} onSubmit={onSubmit} noValidate>
      {error && <SendFailure title={t('pulse.failed')} error={error} />}
      {SCALES.map((scale, index) => (
        <RatingScale
          key={scale}
          label={t(`pulse.${scale}`)}
          min={1}
          max={5}
          lowLabel={t(`pulse.${scale}Low`)}
          highLabel={t(`pulse.${scale}High`)}
          value={answers[scale]}
          onChange={value => set({ [scale]: value })}
          onDigit={() => onDigit(index)}
          error={isMissing(scale) ? t('pulse.unanswered') : undefined}
        />
      ))}
      {!isShort && (
        <>
          <RatingScale
            label={t('pulse.recommend')}
            note={t('pulse.optional')}
            min={0}
            max={10}
            lowLabel={t('pulse.recommendLow')}
            highLabel={t('pulse.recommendHigh')}
            value={answers.recommend}
            onChange={recommend => set({ recommend })}
          />
          {(['blockers', 'wins'] as const).map(field => (
            <TextAreaField
              key={field}
              label={t(`pulse.${field}`)}
              secondaryLabel={t('pulse.optional')}
              rows={2}
              maxLength={10_000}
              value={answers[field]}
              onChange={text => set({ [field]: text })}
            />
          ))}
        </>
      )}
      <div>
        <Button type="submit" variant="primary" isPending={isPending}>
          {t('pulse.submit')}
        </Button>
      </div>
    </form>
  );
}
