import { linePaths } from './scales';
import './Sparkline.css';

/** Props of {@link Sparkline}. */
export interface SparklineProps {
  /** The values in chronological order; null leaves a gap. */
  values: readonly (number | null)[];
  /** Number of the chart colour, starting with 1: that of the metric's chart. */
  color?: number;
}

/**
 * A small chart as high as a line of text. Hidden from screen readers, as the text next to it says
 * the same.
 */
export function Sparkline({ values, color = 1 }: SparklineProps) {
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
      <path
        d={solid}
        vectorEffect="non-scaling-stroke"
        style={{ stroke: `var(--slipway-chart-${color})` }}
      />
    </svg>
  );
}
