/** A point of a line: where on the scale, from 0 at the foot to 1 at the top; null leaves a gap. */
interface LinePoint {
  height: number | null;
  /** Not final; lines to and from it are dashed. */
  tentative?: boolean;
}

/**
 * SVG path data of a line through points that stand evenly in a box of 100 by
 * 100, each in the middle of its column.
 */
export function linePaths(points: readonly LinePoint[]): {
  solid: string;
  dashed: string;
} {
  const paths = { solid: '', dashed: '' };
  const at = (index: number, height: number) => {
    const x = ((index + 0.5) / points.length) * 100;
    return `${round(x)} ${round(100 - height * 100)}`;
  };
  for (let index = 1; index < points.length; index += 1) {
    const from = points[index - 1];
    const to = points[index];
    if (from.height !== null && to.height !== null) {
      const kind = from.tentative || to.tentative ? 'dashed' : 'solid';
      paths[kind] += `M${at(index - 1, from.height)}L${at(index, to.height)}`;
    }
  }
  return paths;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

const STEPS = [1, 2, 2.5, 5, 10];

/** At most this many steps from the foot of a scale to its top. */
const COUNT = 4;

/**
 * Round values from 0 to one that is not below `max`, for the scale of a chart.
 *
 * @param max - the largest value drawn; 0 or less gives a scale to 1.
 * @param options.whole - no fractions between the values.
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
  // Multiplying keeps 0.1 + 0.2 out of the labels.
  return Array.from({ length: steps + 1 }, (_, index) =>
    Number((index * step).toPrecision(12)),
  );
}

/** Steps of a chart's scale and how they are written; no two read alike. */
export interface ChartScale {
  /** Upwards; the first is the foot of the chart. */
  ticks: readonly number[];
  formatTick(value: number): string;
}

/**
 * A scale from 0 in round steps, all written with the decimals that the step needs.
 *
 * @param max - the largest value drawn.
 * @param options.per - size of the unit that is written, 1 unless given: 0.01 writes shares as percent.
 * @param options.whole - for counts: the steps are whole, and there are at least four.
 * @param options.write - adds the unit to a figure.
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

/** The number of digits behind the point, at most 12. */
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

/** Steps of clocks, which people count in twelfths and quarters. */
const CLOCK = [
  { unit: 's', size: SECOND, steps: [1, 2, 5, 10, 15, 30] },
  { unit: 'min', size: MINUTE, steps: [1, 2, 5, 10, 15, 30] },
  { unit: 'h', size: HOUR, steps: [1, 2, 3, 6, 12] },
] as const;

/**
 * A scale of durations: "0 s, 15 s, 30 s", "0 h, 6 h, 12 h", "0 d, 2 d, 4 d".
 *
 * @param max - the longest drawn.
 * @param size - milliseconds of the unit that the values are in.
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
