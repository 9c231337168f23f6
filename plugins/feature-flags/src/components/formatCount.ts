const numbers = new Intl.NumberFormat(undefined, {
  notation: 'compact',
  maximumFractionDigits: 1,
});

/** A count, short: `12.4K`. */
export function formatCount(count: number): string {
  return numbers.format(count);
}
