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

/**
 * Round values from 0 to one that is not below `max`, for the scale of a chart.
 *
 * @param max - the largest value drawn; 0 or less gives a scale to 1.
 * @param count - how many steps at most.
 */
export function niceTicks(max: number, count = 4): number[] {
  const top = max > 0 ? max : 1;
  const rough = top / count;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step =
    magnitude * (STEPS.find(candidate => candidate * magnitude >= rough) ?? 10);
  const steps = Math.max(1, Math.ceil(top / step - 1e-9));
  // Multiplying keeps 0.1 + 0.2 out of the labels.
  return Array.from({ length: steps + 1 }, (_, index) =>
    Number((index * step).toPrecision(12)),
  );
}
