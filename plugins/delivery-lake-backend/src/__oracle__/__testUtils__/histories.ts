import fc from 'fast-check';
import { RawEvent } from '../RawEvent';
import { changeEvents, commitPlan } from './commitHistories';
import { deploymentEvents, deploymentPlan } from './deploymentHistories';
import { incidentEvents, incidentPlan } from './incidentHistories';

/** A random history of events in order of arrival, and the queries about it. */
export interface History {
  timeZone: string;
  /** Batches in order of arrival. Events may be late or duplicated, and corrections early. */
  batches: RawEvent[][];
  questions: Question[];
}

interface Question {
  startDate: string;
  endDate: string;
}

const TIME_ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
];

/** Starts of histories: around daylight saving changes in those zones, and an ordinary one. */
const BEGINNINGS = ['2026-03-01', '2026-03-22', '2025-10-18', '2026-06-10'];
const DAYS = 24;
const DAY_MS = 24 * 60 * 60 * 1000;

function dateFrom(origin: number, day: number): string {
  return new Date(origin + day * DAY_MS).toISOString().slice(0, 10);
}

function everything(origin: number): Question {
  return { startDate: dateFrom(origin, 0), endDate: dateFrom(origin, 40) };
}

function question(origin: number): fc.Arbitrary<Question> {
  const days = fc
    .tuple(
      fc.integer({ min: -2, max: DAYS }),
      fc.oneof(fc.constantFrom(0, 6), fc.integer({ min: 0, max: DAYS })),
    )
    .map(([first, length]) => ({
      startDate: dateFrom(origin, first),
      endDate: dateFrom(origin, first + length),
    }));
  const moments = fc
    .tuple(
      fc.integer({ min: 0, max: DAYS * DAY_MS }),
      fc.integer({ min: 60_000, max: DAYS * DAY_MS }),
    )
    .map(([start, length]) => ({
      startDate: new Date(origin + start).toISOString(),
      endDate: new Date(origin + start + length).toISOString(),
    }));
  return fc.oneof({ weight: 3, arbitrary: days }, moments);
}

/**
 * Gives each event a unique time, so that the order of events about a record is
 * unambiguous.
 */
function tellTimesApart(events: RawEvent[]): RawEvent[] {
  return events.map((event, index) => ({
    ...event,
    occurredAt: new Date(Date.parse(event.occurredAt) + index).toISOString(),
  }));
}

/** Generates arrival orders: shuffled, with some duplicates, split into batches. */
function arrivals(events: RawEvent[]): fc.Arbitrary<RawEvent[][]> {
  return fc
    .tuple(
      fc.array(fc.nat(Math.max(0, events.length - 1)), { maxLength: 6 }),
      fc.boolean(),
    )
    .map(([again, inOrder]) => ({
      inOrder,
      all: [...events, ...again.flatMap(index => events[index] ?? [])],
    }))
    .chain(({ all, inOrder }) =>
      fc.tuple(
        inOrder
          ? fc.constant(all)
          : fc.shuffledSubarray(all, { minLength: all.length }),
        fc.integer({ min: 1, max: 40 }),
      ),
    )
    .map(([all, size]) => {
      const batches: RawEvent[][] = [];
      for (let at = 0; at < all.length; at += size) {
        batches.push(all.slice(at, at + size));
      }
      return batches;
    });
}

/** Generates three or four weeks of an organisation, with queries about them. */
export const histories: fc.Arbitrary<History> = fc
  .constantFrom(...BEGINNINGS)
  .map(date => Date.parse(date))
  .chain(origin =>
    fc
      .tuple(
        fc.array(commitPlan, { maxLength: 24, size: 'max' }),
        fc.array(deploymentPlan, { minLength: 3, maxLength: 24, size: 'max' }),
        fc.array(incidentPlan, { maxLength: 8, size: 'max' }),
      )
      .map(([commits, deployments, incidents]) =>
        tellTimesApart([
          ...changeEvents(origin, commits),
          ...deploymentEvents(origin, deployments, commits),
          ...incidentEvents(origin, incidents, deployments),
        ]),
      )
      .chain(events =>
        fc.record({
          timeZone: fc.constantFrom(...TIME_ZONES),
          batches: arrivals(events),
          questions: fc
            .array(question(origin), { minLength: 1, maxLength: 2 })
            .map(some => [everything(origin), ...some]),
        }),
      ),
  );
