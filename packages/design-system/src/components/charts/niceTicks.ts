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
