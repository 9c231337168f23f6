import type { AnalyticsEvent } from '../../events/AnalyticsEvent.ts';

/**
 * An event as a line of JSONEachRow. Beside its properties as they are it gets them as
 * two maps, which are read without parsing JSON: each as text, and those that are
 * numbers as numbers.
 */
export function eventLine(event: AnalyticsEvent): string {
  const texts: Record<string, string> = Object.create(null);
  const numbers: Record<string, number> = Object.create(null);
  const properties: Record<string, unknown> = JSON.parse(event.properties);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'number') {
      numbers[name] = value;
    }
    if (value !== null) {
      texts[name] = typeof value === 'string' ? value : JSON.stringify(value);
    }
  }
  return JSON.stringify({
    project_id: event.projectId,
    uuid: event.uuid,
    event: event.event,
    distinct_id: event.distinctId,
    timestamp: instant(event.timestamp),
    created_at: instant(event.createdAt),
    properties: event.properties,
    texts,
    numbers,
  });
}

/** `2026-11-21 10:00:00.000`: numbers of seconds are read only from 2001-09-09 on. */
function instant(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, -1).replace('T', ' ');
}
