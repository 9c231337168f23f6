import { createHmac } from 'node:crypto';

/** Number of days of history; the last one is yesterday. */
const DAYS = 730;
const EVENTS_PER_PERSON = 2_500;
const PEOPLE_PER_TEAM = 20;
const SMALLEST = 40;
const DAY_MS = 24 * 3_600_000;

/** The size of an organisation: more events mean more people, each equally active. */
export interface Organisation {
  events: number;
  surveys: number;
  loads: number;
  people: number;
  teams: number;
  /** Days since the epoch, in UTC. */
  firstDay: number;
  lastDay: number;
}

/** Returns the organisation with a given number of events. */
export function organisationOf(events: number): Organisation {
  const people = Math.max(SMALLEST, Math.round(events / EVENTS_PER_PERSON));
  const lastDay = Math.floor(Date.now() / DAY_MS) - 1;
  return {
    events,
    surveys: Math.ceil(events / 50),
    loads: Math.ceil(events / 100),
    people,
    teams: Math.ceil(people / PEOPLE_PER_TEAM),
    firstDay: lastDay - DAYS + 1,
    lastDay,
  };
}

/** Converts days since the Unix epoch to an ISO 8601 date. */
export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the name of a person; people are numbered from 1. */
export function userName(person: number): string {
  return `user-${person}`;
}

/** Returns the hash that identifies a person in the service's storage. */
export function personHash(person: number, key: string): string {
  return createHmac('sha256', key)
    .update(`user:default/${userName(person)}`)
    .digest('hex')
    .slice(0, 32);
}

/** A query about the organisation. */
export interface Question {
  /** Name in the report. */
  what: string;
  /** Default: all teams. */
  team?: string;
  /** Days since the epoch, both inclusive. */
  from: number;
  to: number;
}

/** Returns queries about the newest days. */
export function questionsOf({ lastDay }: Organisation): Question[] {
  const newest = (days: number) => ({ from: lastDay - days + 1, to: lastDay });
  return [
    { what: 'One team, 30 days', team: 'team-1', ...newest(30) },
    { what: 'All teams, 30 days', ...newest(30) },
    { what: 'One team, 365 days', team: 'team-1', ...newest(365) },
  ];
}

/** Returns the request path of a query, with all five dimensions. */
export function pathOf({ team, from, to }: Question): string {
  const query = new URLSearchParams({
    start_date: dateOf(from),
    end_date: dateOf(to),
    ...(team && { team }),
  });
  return `/api/v1/metrics/space?${query}`;
}
