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
    timestamp: seconds(event.timestamp),
    created_at: seconds(event.createdAt),
    properties: event.properties,
    texts,
    numbers,
  });
}

/** With a point, so that nobody takes it for milliseconds. */
function seconds(milliseconds: number): string {
  const digits = String(milliseconds).padStart(4, '0');
  return `${digits.slice(0, -3)}.${digits.slice(-3)}`;
}
