import { useState } from 'react';
import type { Pulse } from '../api/types';
import { useSubmitPulse } from '../data/useSubmissions';

/** Answers so far. */
export interface PulseAnswers {
  satisfaction?: number;
  productivity?: number;
  recommend?: number;
  blockers: string;
  wins: string;
}

const NO_ANSWERS: PulseAnswers = { blockers: '', wins: '' };

/** State of the pulse survey: its answers, what is missing, and sending. */
export function usePulseForm(onSent: () => void) {
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
