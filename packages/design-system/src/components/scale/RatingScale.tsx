import { KeyboardEvent, useId } from 'react';
import './RatingScale.css';

/** Props of {@link RatingScale}. */
export interface RatingScaleProps {
  /** The question. */
  label: string;
  /** First and last number, whole. */
  min: number;
  max: number;
  /** undefined: nothing is chosen yet. */
  value: number | undefined;
  onChange(value: number): void;
  /** What the ends of the scale mean. */
  lowLabel: string;
  highLabel: string;
  /** Beside the question: "optional". */
  note?: string;
  /** What is wrong with the answer. */
  error?: string;
  /** A digit has chosen: the form may go on to its next field. */
  onDigit?(): void;
}

/**
 * A question that is answered by one of a few numbers: click, arrow keys, or the
 * digit itself wherever in the question the focus is (scales up to 9). Its fieldset's
 * first `input` takes the focus.
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
    // Digits are heard wherever in the question the focus is.
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

/** The ends say what they mean to those who do not see the scale. */
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
