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
