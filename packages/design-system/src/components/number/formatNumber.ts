const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const brief = new Intl.NumberFormat('en', {
  notation: 'compact',
  maximumFractionDigits: 1,
});

/** Formats a number with about three significant digits: "0.5", "12.3", "1,235". */
export function formatNumber(value: number): string {
  return (Math.abs(value) >= 100 ? whole : tenths).format(value);
}

/** Formats a percentage from 0 to 100 like {@link formatNumber}: "4.1%", "25%". */
export function formatPercent(percent: number): string {
  return `${formatNumber(percent)}%`;
}

/** Formats a large number briefly: "12.4K". */
export function formatBrief(value: number): string {
  return brief.format(value);
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Formats bytes: "900 B", "1.5 MiB". */
export function formatSize(bytes: number): string {
  const power = Math.min(
    UNITS.length - 1,
    Math.floor(Math.log2(Math.max(bytes, 1)) / 10),
  );
  const value = bytes / 1_024 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
}
