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
type PulseAnswers = Partial<Pulse> & Pick<Pulse, 'blockers' | 'wins'>;

const NO_ANSWERS: PulseAnswers = { blockers: '', wins: '' };

/** Manages the state of the pulse survey: its answers, missing ones, and submission. */
function usePulseForm(initial: PulseAnswers, onSent: (pulse: Pulse) => void) {
  const [answers, setAnswers] = useState(initial);
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
      mutate(pulse, { onSuccess: () => onSent(pulse) });
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

/** Focuses the chosen option of a question, or the first one if none is chosen. */
function focusScale(form: HTMLFormElement | null, index: number): void {
  const scale = form?.querySelectorAll('fieldset')[index];
  const input =
    scale?.querySelector<HTMLElement>('input:checked') ??
    scale?.querySelector('input');
  input?.focus();
}

/**
 * Shows the pulse survey. Two digits and Enter are enough: each digit moves the focus to the next
 * question, and the last one to the button.
 */
export function PulseForm(props: {
  /** True to show only the two questions at first, for a card. */
  isShort?: boolean;
  /** True if the form is the main content of the page. */
  takesFocus?: boolean;
  /** Earlier answers to change; the new answers replace all of them. */
  initial?: Pulse;
  onSent(pulse: Pulse): void;
}) {
  const { isShort = false, takesFocus = false } = props;
  const { initial = NO_ANSWERS, onSent } = props;
  const { t } = useTranslationRef(spaceTranslationRef);
  const ref = useRef<HTMLFormElement>(null);
  const [hasDetails, setHasDetails] = useState(!isShort);
  const { answers, set, isMissing, submit, error, isPending } = usePulseForm(
    initial,
    onSent,
  );

  useEffect(() => {
    if (takesFocus) {
      focusScale(ref.current, 0);
    }
  }, [takesFocus]);
  useEffect(() => {
    if (isShort && hasDetails) {
      // The button is gone, and the focus with it.
      focusScale(ref.current, SCALES.length);
    }
  }, [isShort, hasDetails]);

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit();
    const first = SCALES.findIndex(scale => answers[scale] === undefined);
    if (first >= 0) {
      focusScale(ref.current, first);
    }
  };
  const onDigit = (index: number) => {
    if (index + 1 < SCALES.length) {
      focusScale(ref.current, index + 1);
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
      {hasDetails && (
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
              description={t(`pulse.${field}Help`)}
              rows={2}
              maxLength={10_000}
              value={answers[field]}
              onChange={text => set({ [field]: text })}
            />
          ))}
        </>
      )}
      <div className={styles.actions}>
        <Button type="submit" variant="primary" isPending={isPending}>
          {t('pulse.submit')}
        </Button>
        {!hasDetails && (
          <Button variant="tertiary" onPress={() => setHasDetails(true)}>
            {t('pulse.more')}
          </Button>
        )}
      </div>
    </form>
  );
}
