import { useId } from 'react';
import styles from './TimeField.module.css';

/** A field for a date and time in the user's time zone. */
export function TimeField(props: {
  label: string;
  /** `2026-11-24T09:00`, or empty. */
  value: string;
  onChange(value: string): void;
  /** Shown below the field if the input is invalid. */
  error?: string;
}) {
  const { label, value, onChange, error } = props;
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="datetime-local"
        value={value}
        aria-invalid={error !== undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onChange={event => onChange(event.target.value)}
      />
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
}
