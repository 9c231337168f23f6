/**
 * A point of a line: its position on the scale, from 0 at the bottom to 1 at the top; null leaves a
 * gap.
 */
interface LinePoint {
  height: number | null;
  /** True for a provisional value; the lines to and from it are dashed. */
  tentative?: boolean;
}

/**
 * Returns SVG path data of a line through evenly spaced points in a box of 100 by 100, each in the
 * middle of its column.
 *
 * @param options.spansGaps - true to connect the points on both sides of a gap.
 */
export function linePaths(
  points: readonly LinePoint[],
  options: { spansGaps?: boolean } = {},
): {
  solid: string;
  dashed: string;
} {
  const paths = { solid: '', dashed: '' };
  let from: { at: string; tentative?: boolean } | undefined;
  points.forEach(({ height, tentative }, index) => {
    if (height === null) {
      from = options.spansGaps ? from : undefined;
      return;
    }
    const x = ((index + 0.5) / points.length) * 100;
    const at = `${round(x)} ${round(100 - height * 100)}`;
    if (from) {
      const kind = from.tentative || tentative ? 'dashed' : 'solid';
      paths[kind] += `M${from.at}L${at}`;
    }
    from = { at, tentative };
  });
  return paths;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

const STEPS = [1, 2, 2.5, 5, 10];

/** Maximum number of steps on a scale. */
const COUNT = 4;

/**
 * Returns round values from 0 to at least `max`, for the scale of a chart.
 *
 * @param max - the largest value drawn; 0 or less gives a scale up to 1.
 * @param options.whole - allows only whole numbers.
 */
export function niceTicks(
  max: number,
  options: { whole?: boolean } = {},
): number[] {
  const top = max > 0 ? max : 1;
  const rough = Math.max(top / COUNT, options.whole ? 1 : 0);
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const factor = STEPS.find(
    candidate =>
      candidate * magnitude >= rough &&
      (!options.whole || Number.isInteger(candidate * magnitude)),
  );
  return evenTicks(top, magnitude * (factor ?? 10));
}

function evenTicks(top: number, step: number): number[] {
  const steps = Math.max(1, Math.ceil(top / step - 1e-9));
  // Multiplying avoids labels such as 0.30000000000000004.
  return Array.from({ length: steps + 1 }, (_, index) =>
    Number((index * step).toPrecision(12)),
  );
}

/** The values of a chart's scale and how they are formatted; no two have the same label. */
export interface ChartScale {
  /** The values in ascending order; the first is at the bottom of the chart. */
  ticks: readonly number[];
  formatTick(value: number): string;
}

/**
 * Creates a scale from 0 in round steps, all formatted with the decimals that the step requires.
 *
 * @param max - the largest value drawn.
 * @param options.per - the size of the displayed unit, 1 by default: 0.01 shows fractions as
 *   percentages.
 * @param options.whole - for counts: steps are whole numbers, and there are at least four.
 * @param options.write - adds the unit to a number.
 */
export function numberScale(
  max: number,
  options: {
    per?: number;
    whole?: boolean;
    write?(figure: string): string;
  } = {},
): ChartScale {
  const { per = 1, whole, write = String } = options;
  const ticks = niceTicks(whole ? Math.max(COUNT, max / per) : max / per, {
    whole,
  });
  const digits = decimalsOf(ticks[1]);
  const figures = new Intl.NumberFormat('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return {
    ticks: ticks.map(tick => tick * per),
    formatTick: value => write(figures.format(value / per)),
  };
}

/** Returns the number of decimals, at most 12. */
function decimalsOf(step: number): number {
  let digits = 0;
  while (digits < 12 && Number(step.toFixed(digits)) !== step) {
    digits += 1;
  }
  return digits;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Steps for time, which is divided into twelfths and quarters. */
const CLOCK = [
  { unit: 's', size: SECOND, steps: [1, 2, 5, 10, 15, 30] },
  { unit: 'min', size: MINUTE, steps: [1, 2, 5, 10, 15, 30] },
  { unit: 'h', size: HOUR, steps: [1, 2, 3, 6, 12] },
] as const;

/**
 * Creates a scale of durations: "0 s, 15 s, 30 s", "0 h, 6 h, 12 h", "0 d, 2 d, 4 d".
 *
 * @param max - the longest duration drawn.
 * @param size - milliseconds in the unit of the values.
 */
export function durationScale(max: number, size = 1): ChartScale {
  const longest = max > 0 ? max * size : MINUTE;
  const inUnits = (unit: string, per: number) =>
    numberScale(longest / size, {
      per: per / size,
      write: f => `${f} ${unit}`,
    });
  if (longest < 2 * SECOND) {
    return inUnits('s', SECOND);
  }
  for (const clock of CLOCK) {
    const step = clock.steps.find(
      candidate => candidate * clock.size * COUNT >= longest,
    );
    if (step) {
      const per = clock.size / size;
      return {
        ticks: evenTicks(longest / clock.size, step).map(tick => tick * per),
        formatTick: value => `${Math.round(value / per)} ${clock.unit}`,
      };
    }
  }
  const days = niceTicks(longest / DAY, { whole: true });
  return {
    ticks: days.map(tick => (tick * DAY) / size),
    formatTick: value =>
      `${Math.round((value * size) / DAY).toLocaleString('en')} d`,
  };
}
