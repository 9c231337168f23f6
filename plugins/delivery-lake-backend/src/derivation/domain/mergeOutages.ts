import { Incident } from './ServiceHistory';

/** Incidents of a service that overlap, as one. Times in milliseconds. */
export interface Outage {
  /** The one that began first; of several the one with the smallest id. */
  firstIncidentId: number;
  startedAt: number;
  /** Infinity while one of its incidents is open. */
  endedAt: number;
}

/** Joins incidents of one service that overlap or touch; in order of their beginning. */
export function mergeOutages(incidents: readonly Incident[]): Outage[] {
  const outages: Outage[] = [];
  const inOrder = [...incidents].sort(
    (a, b) => a.startedAt - b.startedAt || a.id - b.id,
  );
  for (const { id, startedAt, resolvedAt } of inOrder) {
    const endedAt = resolvedAt ?? Infinity;
    const last = outages.at(-1);
    if (last && startedAt <= last.endedAt) {
      last.endedAt = Math.max(last.endedAt, endedAt);
    } else {
      outages.push({ firstIncidentId: id, startedAt, endedAt });
    }
  }
  return outages;
}
