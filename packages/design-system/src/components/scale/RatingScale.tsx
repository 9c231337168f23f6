import { KeyboardEvent, useId } from 'react';
import './RatingScale.css';

/** Props of {@link RatingScale}. */
export interface RatingScaleProps {
  /** The question. */
  label: string;
  /** First and last number; whole numbers. */
  min: number;
  max: number;
  /** Undefined if nothing is selected yet. */
  value: number | undefined;
  onChange(value: number): void;
  /** Labels for the ends of the scale. */
  lowLabel: string;
  highLabel: string;
  /** Shown next to the question: "optional". */
  note?: string;
  /** Error message for the answer. */
  error?: string;
  /** Called after an answer by digit: the form may move to its next field. */
  onDigit?(): void;
}

/**
 * A question with a few numbers as answers: by click, by arrow keys, or by typing the digit
 * anywhere in the question (scales up to 9). To focus it, focus the first `input` of its fieldset.
 */
export function RatingScale(props: RatingScaleProps) {
  const { label, min, max, value, onChange, lowLabel, highLabel } = props;
  const { note, error, onDigit } = props;
  const name = useId();
  const errorId = useId();
  const numbers = Array.from({ length: max - min + 1 }, (_, i) => min + i);

  const onKeyDown = (event: KeyboardEvent) => {
    const digit = /^\d$/.test(event.key) ? Number(event.key) : NaN;
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (max <= 9 && isPlain && digit >= min && digit <= max) {
      event.preventDefault();
      onChange(digit);
      onDigit?.();
    }
  };

  return (
    // Digits work anywhere in the question.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <fieldset
      className="slw-RatingScale"
      aria-describedby={error ? errorId : undefined}
      onKeyDown={onKeyDown}
    >
      <legend>
        {label}
        {note && <span className="slw-RatingScaleNote"> ({note})</span>}
      </legend>
      <div className="slw-RatingScaleNumbers">
        {numbers.map(number => (
          <label key={number}>
            <input
              type="radio"
              name={name}
              value={number}
              checked={number === value}
              aria-label={nameOf(number, { min, max, lowLabel, highLabel })}
              onChange={() => onChange(number)}
            />
            <span aria-hidden>{number}</span>
          </label>
        ))}
      </div>
      <div className="slw-RatingScaleEnds" aria-hidden>
        <span>{lowLabel}</span>
        <span>{highLabel}</span>
      </div>
      {error && (
        <p className="slw-RatingScaleError" id={errorId}>
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** Returns the accessible name of an option, which includes the label at the ends of the scale. */
function nameOf(
  number: number,
  scale: { min: number; max: number; lowLabel: string; highLabel: string },
): string {
  switch (number) {
    case scale.min:
      return `${number}, ${scale.lowLabel}`;
    case scale.max:
      return `${number}, ${scale.highLabel}`;
    default:
      return String(number);
  }
}
