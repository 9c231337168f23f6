import type {
  DimensionReport,
  FieldName,
  Granularity,
  Reading,
  SpaceQuery,
} from '../src/api/SpaceApi';

const DAY_MS = 86_400_000;
const DAYS: Record<Granularity, number> = { daily: 1, weekly: 7, monthly: 30 };

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Returns made-up parts of a period, each slightly different from the period's mean. */
export function recordedSeries(
  report: DimensionReport,
  query: SpaceQuery & { granularity: Granularity },
): Reading[] {
  const step = DAYS[query.granularity] * DAY_MS;
  const first = Date.parse(query.startDate);
  const last = Date.parse(query.endDate);
  const parts: Reading[] = [];
  for (let start = first; start <= last; start += step) {
    const sway = 1 + Math.sin(parts.length * 1.7) / 6;
    parts.push({
      startDate: dateOf(start),
      endDate: dateOf(Math.min(last, start + step - DAY_MS)),
      samples: report.samples,
      values: Object.fromEntries(
        Object.entries(report.values).map(([field, value]) => [
          field as FieldName,
          Number(((value ?? 0) * sway).toFixed(2)),
        ]),
      ),
    });
  }
  return parts;
}
