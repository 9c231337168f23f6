/** Two decimals are as much as such numbers carry. */
export function rounded(value: number, decimals = 2): number {
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor;
}

/** A quotient; 0 where there is nothing to divide by, and a count elsewhere says so. */
export function ratio(dividend: number, divisor: number, decimals = 2): number {
  return divisor === 0 ? 0 : rounded(dividend / divisor, decimals);
}
