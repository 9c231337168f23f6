import { createHash } from 'node:crypto';
import {
  EXAMPLE_PEOPLE,
  EXAMPLE_TROUBLE,
  EXAMPLE_WORK,
  type ExampleService,
} from './organisation.ts';

const RANGE = 2 ** 32;

/**
 * Creates a generator of random numbers in [0, 1), which returns the same sequence for the same
 * words (mulberry32 seeded by SHA-256).
 */
function randomOf(...words: (string | number)[]): () => number {
  let state = createHash('sha256')
    .update(words.join('\n'))
    .digest()
    .readUInt32LE();
  /* eslint-disable no-bitwise */
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / RANGE;
  };
  /* eslint-enable no-bitwise */
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
const ATTEMPT_RATE = 0.06;
const ROLL_BACK_RATE = 0.5;
const LINK_RATE = 0.6;
const BAD_WEEK_EVERY = 6;
const SOURCE = 'demo';

/** An item of the lake's JSON with its kind and time of origin. */
interface ExampleItem {
  kind: 'deployment' | 'change' | 'incident';
  /** Milliseconds since the Unix epoch; nothing in the item is later. */
  at: number;
  fields: Record<string, unknown>;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

/**
 * Returns whether a day is in a bad week. Weeks start on Mondays; the first day of the epoch was a
 * Thursday.
 */
function isBadWeek(day: number): boolean {
  return (
    Math.floor((day / DAY_MS + 3) / 7) % BAD_WEEK_EVERY === BAD_WEEK_EVERY - 1
  );
}

function isWeekend(day: number): boolean {
  return [0, 6].includes(new Date(day).getUTCDay());
}

/** A deployment of the day, before it is converted to items. */
interface Release {
  id: string;
  service: ExampleService;
  version: string;
  author: string;
  startedAt: number;
  finishedAt: number;
  /** True for a release of a bad week. */
  bad: boolean;
  /** The deployment that it rolls back. */
  rollbackOf?: string;
}

/** The random choices for one service and day. */
interface Dice {
  random(): number;
  pick<T>(values: readonly T[]): T;
}

function diceOf(...words: string[]): Dice {
  const random = randomOf(...words);
  return {
    random,
    pick: values => values[Math.floor(random() * values.length)],
  };
}

/** Creates the changes of a release, in the order in which they landed. */
function changesOf(
  { id, service, startedAt, bad, author }: Release,
  { random, pick }: Dice,
): ExampleItem[] {
  const count = 1 + Math.floor(random() * 3);
  return Array.from({ length: count }, (_, sequence) => {
    const before = (count - sequence) * 15 - random() * 10;
    const landedAt = startedAt - Math.round(before * MINUTE_MS);
    const review = (bad ? 3 : 1) * service.reviewHours * random() ** 2;
    return {
      kind: 'change',
      at: landedAt,
      fields: {
        source: SOURCE,
        repository: service.repository,
        sha: createHash('sha1').update(`${id}-${sequence}`).digest('hex'),
        message: pick(EXAMPLE_WORK),
        author: sequence === 0 ? author : pick(EXAMPLE_PEOPLE),
        committedAt: iso(landedAt - Math.round(review * HOUR_MS)),
        landedAt: iso(landedAt),
      },
    };
  });
}

/**
 * Creates the deployments of a release: staging first, sometimes a failed attempt that does not
 * count, then production.
 */
function deploymentsOf(
  release: Release,
  shas: unknown[],
  { random }: Dice,
): ExampleItem[] {
  const { id, service, startedAt, finishedAt, author } = release;
  const told = (
    suffix: string,
    [environment, status]: [string, string],
    [start, finish]: [number, number],
  ): ExampleItem => ({
    kind: 'deployment',
    at: finish,
    fields: {
      source: SOURCE,
      id: `${id}${suffix}`,
      service: service.name,
      environment,
      status,
      startedAt: iso(start),
      finishedAt: iso(finish),
      version: release.version,
      triggeredBy: author,
      repository: service.repository,
      commit: shas.length > 0 ? { sha: shas.at(-1), author } : undefined,
      changes: service.listsChanges && shas.length > 0 ? shas : undefined,
      rollbackOf: suffix === '' ? release.rollbackOf : undefined,
    },
  });
  const staging = told(
    '-staging',
    ['staging', 'SUCCESS'],
    [startedAt - 4 * MINUTE_MS, startedAt - 2 * MINUTE_MS],
  );
  const attempt = told(
    '-attempt',
    ['prod', 'FAILURE'],
    [startedAt - MINUTE_MS, startedAt],
  );
  const production = told('', ['prod', 'SUCCESS'], [startedAt, finishedAt]);
  return random() < ATTEMPT_RATE
    ? [staging, attempt, production]
    : [staging, production];
}

/** Creates the items of an incident that starts soon after a release: its opening and its end. */
function incidentOf(
  { id, service, finishedAt, bad }: Release,
  { random, pick }: Dice,
): ExampleItem[] {
  const startedAt = finishedAt + Math.round((2 + random() * 50) * MINUTE_MS);
  const hours = (bad ? 4 : 1) * service.repairHours * (0.1 + random());
  const resolvedAt = startedAt + Math.round(hours * HOUR_MS);
  const fields = {
    source: SOURCE,
    id: `incident-${id}`,
    service: service.name,
    environment: 'prod',
    title: pick(EXAMPLE_TROUBLE),
    severity: bad ? 'critical' : 'major',
    startedAt: iso(startedAt),
    deployment: random() < LINK_RATE ? { source: SOURCE, id } : undefined,
  };
  return [
    { kind: 'incident', at: startedAt, fields },
    {
      kind: 'incident',
      at: resolvedAt,
      fields: { ...fields, resolvedAt: iso(resolvedAt) },
    },
  ];
}

/**
 * Creates the items of one service on one day. They are the same for the same seed, service and
 * day, so that files created on different days have the same items for a day.
 *
 * @param options.day - its midnight in UTC, in milliseconds since the Unix epoch.
 */
export function exampleDay(options: {
  seed: string;
  service: ExampleService;
  day: number;
}): ExampleItem[] {
  const { seed, service, day } = options;
  const date = iso(day).slice(0, 10);
  const dice = diceOf(seed, service.name, date);
  const { random, pick } = dice;
  const bad = service.hasBadWeeks && isBadWeek(day);
  const rate = service.deploymentsADay * (isWeekend(day) ? 0.1 : 1);
  const count = Math.floor(rate + random());
  const items: ExampleItem[] = [];
  let rollbackOf: string | undefined;

  for (let number = 1; number <= count; number += 1) {
    const share = (number - 1 + random() * 0.5) / count;
    const startedAt = Math.round(day + (8 + 9 * share) * HOUR_MS);
    const release: Release = {
      id: `demo-${service.name}-${date}-${number}`,
      service,
      version: `${date.replaceAll('-', '.')}-${number}`,
      author: pick(EXAMPLE_PEOPLE),
      startedAt,
      finishedAt: startedAt + Math.round((3 + random() * 12) * MINUTE_MS),
      bad,
      rollbackOf,
    };
    // A rollback contains no changes, and succeeds.
    const changes = rollbackOf ? [] : changesOf(release, dice);
    items.push(
      ...changes,
      ...deploymentsOf(
        release,
        changes.map(({ fields }) => fields.sha),
        dice,
      ),
    );
    const broke = random() < service.failureRate * (bad ? 6 : 1) && !rollbackOf;
    rollbackOf = undefined;
    if (broke) {
      items.push(...incidentOf(release, dice));
      rollbackOf =
        number < count && random() < ROLL_BACK_RATE ? release.id : undefined;
    }
  }
  return items;
}
