import type { Access, ServiceKit } from '@slipway/service-kit';
import { CohortsOfPerson } from '../cohorts/CohortsOfPerson.ts';
import type { CohortStore } from '../cohorts/storage/CohortStore.ts';
import type { Projects } from '../projects/Projects.ts';
import type { Answers } from '../query/Answers.ts';
import type { EventStore } from '../store/EventStore.ts';
import type { ErasedIds } from './ErasedIds.ts';
import { People } from './People.ts';
import { groupRoutes } from './groupRoutes.ts';
import { Groups } from './Groups.ts';
import { personRoutes } from './routes.ts';
import type { ErasureStore } from './storage/ErasureStore.ts';
import type { GroupStore } from './storage/GroupStore.ts';
import type { PersonStore } from './storage/PersonStore.ts';
import { Timelines } from './Timelines.ts';

const APPLY_MS = 1_000;
const ERASED_MS = 10_000;

/** Adds the routes of persons and groups, and the background tasks that update and erase them. */
export function setUpPeople(
  kit: Pick<ServiceKit, 'app' | 'every' | 'now'>,
  options: {
    persons: PersonStore;
    cohorts: Pick<CohortStore, 'lists' | 'possible'>;
    groups: GroupStore;
    erasures: ErasureStore;
    erased: ErasedIds;
    store: EventStore;
    projects: Projects;
    answers: Answers;
    tokensAndUsers: Access;
    admins: Access;
  },
): void {
  const { persons, groups, erasures, erased, store, answers, ...rest } =
    options;
  const { cohorts, ...access } = rest;
  const { now } = kit;
  const people = new People({
    persons,
    cohorts,
    erasures,
    erased,
    events: store,
    waitMs: store.state().engine === 'clickhouse' ? 1.5 * ERASED_MS : 0,
    now,
  });
  const timelines = new Timelines(answers, now);
  personRoutes(kit.app, {
    ...access,
    people,
    timelines,
    cohorts: new CohortsOfPerson({ store: cohorts, answers, now }),
  });
  groupRoutes(kit.app, {
    ...access,
    groups: new Groups({ store: groups, events: store }),
    timelines,
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
