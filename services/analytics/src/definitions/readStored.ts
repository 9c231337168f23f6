import {
  call,
  type EventsPlan,
  type PlanRows,
  valueOf,
} from '../query/language/Expression.ts';
import { planEventsQuery, type TablePlan } from '../query/planEventsQuery.ts';
import { DAY_MS, type Observed, VOLUME_DAYS } from './Definition.ts';
import { observe, propertiesOf, type Seen } from './observe.ts';

const MAX_NAMES = 50_000;
/** Maximum number of event names for which properties are read. */
const SAMPLED_NAMES = 100;
const SAMPLE = 50;

/** Reads the events and properties in a project's stored events that arrived before a time. */
export async function readStored(
  scope: { projectId: string; before: number; now: number },
  ask: (plan: EventsPlan) => Promise<PlanRows>,
): Promise<Observed[]> {
  const { projectId, before, now } = scope;
  const read = async (query: {
    select: string[];
    event?: string;
    after?: string;
    limit: number;
    orderBy?: string[];
  }) => {
    const plan = planEventsQuery(
      { kind: 'EventsQuery', after: 'all', ...query },
      { projectId, now },
    );
    return (await ask(arrivedBefore(plan, before))).rows;
  };
  const [names, days] = await Promise.all([
    read({
      select: ['event', 'count()', 'min(timestamp)', 'max(timestamp)'],
      limit: MAX_NAMES,
    }),
    read({
      select: ['event', 'toDate(timestamp)', 'count()', 'min(timestamp)'],
      after: `-${VOLUME_DAYS + 1}d`,
      limit: MAX_NAMES,
    }),
  ]);
  const seen: Seen[] = names.map(([name, , first, last]) => ({
    projectId,
    kind: 'event',
    name: String(name),
    day: 0,
    count: 0,
    firstAt: Number(first),
    lastAt: Number(last),
  }));
  const volumes = new Map<string, number>();
  for (const [name, , count, first] of days) {
    seen.push({
      projectId,
      kind: 'event',
      name: String(name),
      day: Math.floor(Number(first) / DAY_MS),
      count: Number(count),
      firstAt: Number(first),
      lastAt: Number(first),
    });
    volumes.set(String(name), (volumes.get(String(name)) ?? 0) + Number(count));
  }
  for (const [name] of names.slice(0, SAMPLED_NAMES)) {
    const event = String(name);
    const rows = await read({
      select: ['properties', 'timestamp'],
      orderBy: ['timestamp desc'],
      event,
      limit: SAMPLE,
    });
    const sampled = rows.slice(0, SAMPLE);
    const weight = Math.max(
      1,
      Math.round((volumes.get(event) ?? 0) / sampled.length),
    );
    for (const [properties, timestamp] of sampled) {
      seen.push(
        ...propertiesOf({
          projectId,
          properties: String(properties),
          timestamp: Number(timestamp),
          weight,
        }),
      );
    }
  }
  return observe(seen);
}

function arrivedBefore(plan: TablePlan, before: number): EventsPlan {
  const { projectId, select } = plan;
  const isBefore = call(
    'less',
    [{ kind: 'column', name: 'created_at' }, valueOf(before, 'time')],
    'boolean',
  );
  return {
    projectId,
    select: { ...select, where: [...select.where, isBefore] },
  };
}
