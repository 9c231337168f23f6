import { useId } from 'react';
import styles from './TimeField.module.css';

/** A date and time in the reader's zone. */
export function TimeField(props: {
  label: string;
  /** `2026-11-24T09:00`, or empty. */
  value: string;
  onChange(value: string): void;
  /** Under the field, where what was entered does not do. */
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

/** Writes a time as a {@link TimeField} takes it, to the minute. */
export function localTime(time: Date): string {
  const zone = time.getTimezoneOffset() * 60_000;
  return new Date(time.getTime() - zone).toISOString().slice(0, 16);
}

/** Reads the value of a {@link TimeField}; undefined for none. */
export function readLocalTime(value: string): string | undefined {
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
