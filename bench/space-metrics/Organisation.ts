import { createHmac } from 'node:crypto';

/** Days of history, the last of which is yesterday. */
const DAYS = 730;
const EVENTS_PER_PERSON = 2_500;
const PEOPLE_PER_TEAM = 20;
const SMALLEST = 40;
const DAY_MS = 24 * 3_600_000;

/** The size of an organisation: more events mean more people, each equally busy. */
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

/** The organisation that has so many events behind it. */
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

/** Days since the epoch as a date. */
export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** People are numbered from 1. */
export function userName(person: number): string {
  return `user-${person}`;
}

/** What stands for a person in the service's storage. */
export function personHash(person: number, key: string): string {
  return createHmac('sha256', key)
    .update(`user:default/${userName(person)}`)
    .digest('hex')
    .slice(0, 32);
}
