import { linePaths } from './scales';
import './Sparkline.css';

/** Props of {@link Sparkline}. */
export interface SparklineProps {
  /** The values in order of time; null leaves a gap. */
  values: readonly (number | null)[];
}

/** The course of a value in a line's height; says nothing that words beside it do not. */
export function Sparkline({ values }: SparklineProps) {
  const known = values.filter(value => value !== null);
  if (known.length < 2) {
    return null;
  }
  const max = Math.max(...known, Number.MIN_VALUE);
  const { solid } = linePaths(
    values.map(value => ({ height: value === null ? null : value / max })),
  );
  return (
    <svg
      className="slw-Sparkline"
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      aria-hidden
    >
      <path d={solid} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
