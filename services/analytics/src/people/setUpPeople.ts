import type { Access, ServiceKit } from '@slipway/service-kit';
import type { Projects } from '../projects/Projects.ts';
import type { Answers } from '../query/Answers.ts';
import { planEventsQuery } from '../query/planEventsQuery.ts';
import type { EventStore } from '../store/EventStore.ts';
import type { ErasedIds } from './ErasedIds.ts';
import { People } from './People.ts';
import { personRoutes, type ReadTimeline } from './routes.ts';
import type { ErasureStore } from './storage/ErasureStore.ts';
import type { PersonStore } from './storage/PersonStore.ts';

const APPLY_MS = 1_000;
const ERASED_MS = 10_000;

/** Adds the routes of persons and the background tasks that update and erase them. */
export function setUpPeople(
  kit: Pick<ServiceKit, 'app' | 'every' | 'now'>,
  options: {
    persons: PersonStore;
    erasures: ErasureStore;
    erased: ErasedIds;
    store: EventStore;
    projects: Projects;
    answers: Answers;
    tokensAndUsers: Access;
    admins: Access;
  },
): void {
  const { persons, erasures, erased, store, answers, ...access } = options;
  const { now } = kit;
  const people = new People({
    persons,
    erasures,
    erased,
    events: store,
    waitMs: store.state().engine === 'clickhouse' ? 1.5 * ERASED_MS : 0,
    now,
  });
  personRoutes(kit.app, {
    ...access,
    people,
    timeline: readTimeline(answers, now),
    now,
  });
  kit.every({
    name: 'Applying changes of persons',
    everyMs: APPLY_MS,
    work: () => store.applyPeople(),
  });
  kit.every({
    name: 'Erasing persons',
    everyMs: APPLY_MS,
    work: signal => people.carryOut(signal),
  });
  kit.every({
    name: 'Reading erased ids',
    everyMs: ERASED_MS,
    work: () => erased.read(),
  });
}

/** The columns of a timeline, in the order of its cells. */
const COLUMNS = ['uuid', 'event', 'timestamp', 'distinct_id', 'properties'];

function readTimeline(answers: Answers, now: () => number): ReadTimeline {
  return async (projectId, { distinctIds, before, limit }) => {
    const ids = distinctIds.map(quoted).join(', ');
    const query = {
      kind: 'EventsQuery' as const,
      select: COLUMNS,
      where: [`distinct_id in (${ids})`],
      orderBy: ['timestamp DESC'],
      after: 'all',
      before: new Date(before).toISOString(),
      limit,
    };
    const plan = planEventsQuery(query, { projectId, now: now() });
    const key = JSON.stringify(['timeline', projectId, query]);
    const { rows } = await answers.ask({ key, plan }, { lane: projectId });
    return rows.map(([uuid, event, timestamp, distinctId, properties]) => ({
      uuid: String(uuid),
      event: String(event),
      timestamp: Number(timestamp),
      distinctId: String(distinctId),
      properties: JSON.parse(String(properties)),
    }));
  };
}

/** Quotes a text for HogQL. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
