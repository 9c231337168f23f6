import { CSSProperties, KeyboardEvent, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { linePaths, niceTicks } from './scales';
import './TimeSeriesChart.css';

/** Props of {@link TimeSeriesChart}. */
export interface TimeSeriesChartProps {
  /** Title of the chart, e.g. "Lead time for changes by week". */
  label: string;
  /** `bar` for counts and rates, `line` for medians. */
  kind: 'bar' | 'line';
  points: readonly ChartPoint[];
  /** Formats a value of the scale, briefly. */
  formatTick(value: number): string;
  /**
   * Values of the scale in ascending order, instead of round decimals from 0. The first is at the
   * bottom.
   */
  ticks?: readonly number[];
  /**
   * True to draw the line across points without a value, for what is not measured in every interval,
   * such as surveys.
   */
  spansGaps?: boolean;
  /** Number of the chart colour, starting with 1. */
  color?: number;
  /** Height of the plot, in pixels. */
  height?: number;
}

/** More labels than this would overlap in a panel. */
const MAX_LABELS = 5;

/**
 * A chart of a value over time. Every point is a link: hover and focus show its value, arrow keys
 * move between points, and Enter opens the underlying data. All positions are percentages, so it
 * needs no measuring and no script to resize. `SeriesChart` adds a table for screen readers; where
 * people may choose the table instead, put a `SeriesTable` next to it.
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
  const lines = linePaths(heights, { spansGaps: props.spansGaps });
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

/** A tooltip lists this many marks at most. */
const MAX_MARKS = 4;
/** Maximum number of points with dots. */
const MAX_DOTS = 60;

/** Returns the index of the point that a key moves to; undefined for other keys. */
function targetOf(key: string, from: number, last: number) {
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, from - 1);
    case 'ArrowRight':
      return Math.min(last, from + 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}

/** The points of a chart as links in columns; one of them is in the tab order. */
function ChartPoints(props: {
  points: readonly ChartPoint[];
  /** Fractions of the scale, 0 to 1, in the order of the points. */
  heights: readonly (number | null)[];
  /** The index of the point whose tooltip is shown. */
  active: number | undefined;
  onActivate(index: number | undefined): void;
}) {
  const { points, heights, active, onActivate } = props;
  const list = useRef<HTMLUListElement>(null);
  const last = points.length - 1;
  const focused = useRef(last);
  const inTabOrder = Math.min(active ?? focused.current, last);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && active !== undefined) {
      // Hides the tooltip only, and not a panel around the chart as well.
      event.preventDefault();
      onActivate(undefined);
    }
    const target = targetOf(event.key, inTabOrder, last);
    if (target !== undefined) {
      event.preventDefault();
      list.current?.querySelectorAll('a')[target]?.focus();
    }
  };

  return (
    <>
      {/* The keys move between the links that have the focus. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul
        ref={list}
        className="slw-ChartPoints"
        data-dots={points.length <= MAX_DOTS}
        onKeyDown={onKeyDown}
        onMouseLeave={() => onActivate(undefined)}
      >
        {points.map((point, index) => (
          <li key={point.id}>
            <Link
              to={point.href}
              tabIndex={index === inTabOrder ? 0 : -1}
              aria-label={[
                `${point.label}: ${point.valueText}`,
                ...(point.notes ?? []),
                ...(point.marks ?? []),
              ].join(', ')}
              data-active={index === active}
              data-tone={point.tone}
              data-tentative={point.tentative ?? false}
              data-empty={heights[index] === null}
              style={{ '--slw-at': heights[index] ?? 0 } as CSSProperties}
              onFocus={() => {
                focused.current = index;
                onActivate(index);
              }}
              onBlur={() => onActivate(undefined)}
              onMouseEnter={() => onActivate(index)}
            />
            {point.marks && point.marks.length > 0 && (
              <span className="slw-ChartMark" aria-hidden />
            )}
          </li>
        ))}
      </ul>
      {active !== undefined && points[active] && (
        <ChartTooltip
          point={points[active]}
          left={(active + 0.5) / points.length}
        />
      )}
    </>
  );
}

/** One day, week or month of a chart over time. */
export interface ChartPoint {
  /** Unique among the points. */
  id: string;
  /** The period in words: "2 to 8 November 2026". */
  label: string;
  /** The same, short, for the axis: "2 Nov". */
  tick: string;
  /** Null if there is no value, as opposed to 0. */
  value: number | null;
  /** The value with its unit, or a text for no value. */
  valueText: string;
  /** Additional information: "16 deployments", "may still change". */
  notes?: readonly string[];
  /**
   * Events in the period, such as deployments: "shop 1.4 to prod". Shown as a mark above the point.
   */
  marks?: readonly string[];
  /** True for a provisional value; drawn hollow, hatched or dashed. */
  tentative?: boolean;
  /** Colours a bar by its meaning, which `notes` state in words. */
  tone?: 'success' | 'warning' | 'danger' | 'neutral';
  /** Page with the underlying data. */
  href: string;
}

/** The content of a point's link, for sighted users. `left` is 0 to 1 of the plot's width. */
function ChartTooltip(props: { point: ChartPoint; left: number }) {
  const { point, left } = props;
  return (
    <div
      className="slw-ChartTooltip"
      aria-hidden
      // Shifting it by the same fraction of its own width keeps it inside the plot.
      style={{
        left: `${left * 100}%`,
        transform: `translate(${-left * 100}%, -100%)`,
      }}
    >
      <span>{point.label}</span>
      <strong>{point.valueText}</strong>
      {point.notes?.map(note => (
        <span key={note}>{note}</span>
      ))}
      {point.marks?.slice(0, MAX_MARKS).map(mark => (
        <span key={mark}>{mark}</span>
      ))}
    </div>
  );
}
