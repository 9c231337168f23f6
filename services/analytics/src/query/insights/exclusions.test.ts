import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openStore } from '../../__testUtils__/openStore.ts';
import { allEngines } from '../../__testUtils__/startAnalytics.ts';
import type { EventStore } from '../../store/EventStore.ts';
import { answerQuery } from '../answerQuery.ts';
import type { Query } from '../schemas.ts';
import { UTC } from '../time/zones.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const MINUTE_MS = 60_000;
const node = (event: string) => ({ kind: 'EventsNode' as const, event });

/** The events of people, a minute apart; events in brackets have the same time. */
const PEOPLE = {
  clean: 'a b c',
  between: 'a x b c',
  before: 'x a b c',
  after: 'a b x c',
  atEnd: 'a b c x',
  again: 'a x a b c',
  stuck: 'a x',
  restarted: 'a x a',
  together: '(a x) b c',
  late: 'a . . . . . . . . x b',
  furtherBefore: 'a b a x',
};
type Person = keyof typeof PEOPLE;

describe.each(allEngines)('exclusions from funnels on %s', engine => {
  let directory: string;
  let store: EventStore;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'exclusions-'));
    store = openStore(engine, directory);
    await store.append(
      Object.entries(PEOPLE).flatMap(([person, moments]) =>
        (moments.match(/\([^)]*\)|\S/g) ?? []).flatMap((names, minute) =>
          (names.match(/\w/g) ?? []).map(name => ({
            projectId: 'shop',
            uuid: randomUUID(),
            event: name,
            distinctId: person,
            timestamp: NOW - 3_600_000 + minute * MINUTE_MS,
            createdAt: NOW,
            properties: JSON.stringify({ of: person }),
          })),
        ),
      ),
    );
  });

  afterAll(async () => {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });

  const answer = (funnelsFilter: Query['funnelsFilter'], more: object = {}) =>
    answerQuery(
      {
        kind: 'FunnelsQuery',
        series: ['a', 'b', 'c'].map(node),
        dateRange: { date_from: '-1d' },
        breakdownFilter: { breakdown: 'of' },
        funnelsFilter: {
          funnelWindowInterval: 5,
          funnelWindowIntervalUnit: 'minute',
          ...funnelsFilter,
        },
        ...more,
      },
      {
        projectId: 'shop',
        now: NOW,
        calendar: UTC,
        hidesPeople: false,
        ask: plan => store.query(plan),
      },
    );

  /** Returns the number of steps that each counted person reached. */
  const reached = async (
    funnelsFilter: Query['funnelsFilter'],
  ): Promise<Partial<Record<Person, number>>> => {
    const { results } = await answer(funnelsFilter);
    const people = results as { breakdown_value: string[]; count: number }[][];
    return Object.fromEntries(
      people
        .map(steps => [
          steps[0].breakdown_value[0],
          steps.filter(({ count }) => count > 0).length,
        ])
        .filter(([, steps]) => Number(steps) > 0),
    );
  };
  const between = (funnelFromStep: number, funnelToStep: number) => ({
    exclusions: [{ ...node('x'), funnelFromStep, funnelToStep }],
  });

  it('leave out who has the event between two steps', async () => {
    expect(await reached(between(0, 1))).toEqual({
      clean: 3,
      before: 3,
      after: 3,
      atEnd: 3,
      again: 3,
      restarted: 1,
      together: 3,
      // The event occurs after the window has ended.
      late: 1,
      furtherBefore: 2,
    });
    expect(await reached(between(1, 2))).toEqual({
      clean: 3,
      between: 3,
      before: 3,
      atEnd: 3,
      again: 3,
      stuck: 1,
      restarted: 1,
      together: 3,
      late: 1,
    });
    expect(await reached(between(0, 2))).toEqual({
      clean: 3,
      before: 3,
      atEnd: 3,
      again: 3,
      restarted: 1,
      together: 3,
      late: 1,
    });
  });

  it('apply in a strict order, where other events end an attempt', async () => {
    expect(
      await reached({ ...between(0, 1), funnelOrderType: 'strict' }),
    ).toEqual({
      clean: 3,
      before: 3,
      after: 2,
      atEnd: 3,
      again: 3,
      restarted: 1,
      together: 1,
      late: 1,
      furtherBefore: 2,
    });
  });

  it('apply to the time to convert and to conversion over time', async () => {
    const times = await answer(
      { ...between(0, 1), funnelVizType: 'time_to_convert' },
      { breakdownFilter: undefined },
    );
    const [{ bins }] = times.results as { bins: [number, number][] }[];
    expect(bins.reduce((sum, [, people]) => sum + people, 0)).toBe(6);
    const rates = await answer(
      { ...between(0, 1), funnelVizType: 'trends' },
      { breakdownFilter: undefined },
    );
    // Six of nine people convert.
    expect(rates.results).toMatchObject([{ data: [0, 66.67] }]);
  });

  it.each([
    [{ ...between(0, 1), funnelOrderType: 'unordered' }, 'use ordered'],
    [between(1, 1), 'exclusions.0.funnelToStep must be a step after'],
    [between(1, 3), 'exclusions.0.funnelToStep must be a step after'],
    [
      { exclusions: [{ ...node('b'), funnelFromStep: 0, funnelToStep: 1 }] },
      'exclusions.0.event is a step of this part of the funnel',
    ],
  ] as const)('are refused as %j', async (funnelsFilter, wording) => {
    await expect(answer(funnelsFilter as never)).rejects.toThrow(wording);
  });

  it('may be a step of another part of the funnel', async () => {
    const exclusions = [{ ...node('c'), funnelFromStep: 0, funnelToStep: 1 }];
    expect(await reached({ exclusions })).toMatchObject({ clean: 3 });
  });
});
