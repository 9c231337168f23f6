import { CSSProperties, useState } from 'react';
import { ChartPoints } from './ChartPoints';
import type { ChartPoint } from './ChartTooltip';
import { linePaths } from './linePaths';
import { niceTicks } from './niceTicks';
import './TimeSeriesChart.css';

/** Props of {@link TimeSeriesChart}. */
export interface TimeSeriesChartProps {
  /** What is drawn, e.g. "Lead time for changes by week". */
  label: string;
  /** `bar` for counts and rates, `line` for medians. */
  kind: 'bar' | 'line';
  points: readonly ChartPoint[];
  /** Writes a value of the scale, short. */
  formatTick(value: number): string;
  /** Steps of the scale, upwards, instead of round decimals from 0. The first is its foot. */
  ticks?: readonly number[];
  /** Number of the chart colour, from 1. */
  color?: number;
  /** Height of the plot, in pixels. */
  height?: number;
}

/** More labels than these run into each other in a panel. */
const MAX_LABELS = 5;

/**
 * A value over time. Every point is a link: hover and focus tell its value,
 * arrow keys go from one to the next, Enter opens what stands behind it. All
 * positions are percentages, so it needs no measuring and no script to resize.
 * Put a {@link SeriesTable} beside it for those who read rather than look.
 */
export function TimeSeriesChart(props: TimeSeriesChartProps) {
  const { label, kind, points, formatTick, color = 1, height = 160 } = props;
  const [active, setActive] = useState<number>();
  const largest = Math.max(0, ...points.map(point => point.value ?? 0));
  const ticks = props.ticks ?? niceTicks(largest);
  const foot = ticks[0];
  const span = ticks[ticks.length - 1] - foot;
  const share = (value: number) => (value - foot) / span;
  const heights = points.map(({ value, tentative }) => ({
    height: value === null ? null : share(value),
    tentative,
  }));
  const lines = linePaths(heights);
  const every = Math.ceil(points.length / MAX_LABELS);
  const style = {
    '--slw-chart-color': `var(--slipway-chart-${color})`,
    '--slw-chart-height': `${height}px`,
  } as CSSProperties;
  return (
    <div
      className="slw-Chart"
      role="group"
      aria-label={label}
      data-kind={kind}
      style={style}
    >
      <div className="slw-ChartScale" aria-hidden>
        {ticks.map(tick => (
          <span key={tick} style={{ bottom: `${share(tick) * 100}%` }}>
            {formatTick(tick)}
          </span>
        ))}
      </div>
      <div className="slw-ChartPlot">
        {ticks.map(tick => (
          <div
            key={tick}
            className="slw-ChartGridLine"
            style={{ bottom: `${share(tick) * 100}%` }}
          />
        ))}
        {kind === 'line' && (
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
            <path d={lines.solid} vectorEffect="non-scaling-stroke" />
            <path
              d={lines.dashed}
              vectorEffect="non-scaling-stroke"
              data-tentative
            />
          </svg>
        )}
        <ChartPoints
          points={points}
          heights={heights.map(point => point.height)}
          active={active}
          onActivate={setActive}
        />
      </div>
      <div className="slw-ChartAxis" aria-hidden>
        {points.map((point, index) => (
          <span key={point.id} data-odd={(index / every) % 2 === 1}>
            {index % every === 0 && <span>{point.tick}</span>}
          </span>
        ))}
      </div>
    </div>
  );
}
