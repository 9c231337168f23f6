import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Answers, RecentAnswers } from './Answers.ts';
import type { PlanRows } from './language/Expression.ts';
import { planEventsQuery } from './planEventsQuery.ts';

const plan = planEventsQuery(
  { kind: 'EventsQuery', select: ['count()'] },
  { projectId: 'shop', now: 1_000_000 },
);
const ada = { lane: 'ada' };

let clock: number;
let version: number;
let asked: {
  signal: AbortSignal;
  answer: (rows: PlanRows) => void;
  fail: (error: Error) => void;
}[];
let answers: Answers;

beforeEach(() => {
  clock = 0;
  version = 0;
  asked = [];
  answers = new Answers({
    now: () => clock,
    versionOf: () => version,
    query: (_plan, { signal }) =>
      new Promise((answer, fail) => {
        asked.push({ signal: signal!, answer, fail });
      }),
  });
});

const rowsOf = (value: number): PlanRows => ({ rows: [[value]] });
const ask = (key = 'a', signal?: AbortSignal) =>
  answers.ask({ key, plan }, { ...ada, signal });

it('queries the engine once for identical concurrent queries', async () => {
  const both = Promise.all([ask(), ask()]);
  const other = ask('b');
  expect(asked).toHaveLength(2);
  asked[0].answer(rowsOf(1));
  asked[1].answer(rowsOf(2));
  expect(await both).toEqual([rowsOf(1), rowsOf(1)]);
  expect(await other).toEqual(rowsOf(2));
});

it('keeps no long queries in memory', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const recent = new RecentAnswers({ now: () => clock });
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  for (let index = 0; index < 100; index += 1) {
    const text = String(index).padEnd(500_000, 'x');
    const rows = ask(JSON.stringify([text]));
    asked[index].answer(rowsOf(index));
    await recent.answer(
      {
        scope: 'shop',
        query: { kind: 'HogQLQuery', query: text },
        mayBeOld: true,
        erasedAt: undefined,
      },
      async () => ({ results: (await rows).rows.map(row => [...row]) }),
    );
  }
  expect(heap() - before).toBeLessThan(20_000_000);
});

it('reuses a result until an event arrives or five seconds have passed', async () => {
  const answered = async (value: number) => {
    const before = asked.length;
    const answer = ask();
    asked[before]?.answer(rowsOf(value));
    return answer;
  };
  expect(await answered(1)).toEqual(rowsOf(1));
  clock = 4_999;
  expect(await answered(2)).toEqual(rowsOf(1));
  version = 1;
  expect(await answered(3)).toEqual(rowsOf(3));
  clock = 10_000;
  expect(await answered(4)).toEqual(rowsOf(4));
  expect(asked).toHaveLength(3);
});

it('does not join a query that started before an event', async () => {
  const first = ask();
  version = 1;
  const second = ask();
  asked[0].answer(rowsOf(1));
  asked[1].answer(rowsOf(2));
  expect(await Promise.all([first, second])).toEqual([rowsOf(1), rowsOf(2)]);
});

it('cancels a query when its last caller has disconnected', async () => {
  const [one, two] = [new AbortController(), new AbortController()];
  const waiting = [ask('a', one.signal), ask('a', two.signal)].map(each =>
    each.catch((error: Error) => error.message),
  );
  one.abort();
  expect(asked[0].signal.aborted).toBe(false);
  two.abort();
  expect(asked[0].signal.aborted).toBe(true);
  asked[0].fail(new Error('ended'));
  expect(await Promise.all(waiting)).toEqual(['ended', 'ended']);
  // A new caller does not receive its result.
  const again = ask();
  asked[1].answer(rowsOf(1));
  expect(await again).toEqual(rowsOf(1));
});

it('does not cache a failure', async () => {
  const failed = ask();
  asked[0].fail(new Error('no'));
  await expect(failed).rejects.toThrow('no');
  const again = ask();
  asked[1].answer(rowsOf(1));
  expect(await again).toEqual(rowsOf(1));
});

it('runs no query for a caller that has already disconnected', async () => {
  const left = ask('a', AbortSignal.abort(new Error('left')));
  await expect(left).rejects.toThrow('left');
  expect(asked).toEqual([]);
});

describe('recent results', () => {
  const query = { kind: 'EventsQuery' as const, select: ['count()'] };
  const resultOf = (value: number) => ({ results: [[value]] });
  let recent: RecentAnswers;

  beforeEach(() => {
    recent = new RecentAnswers({ now: () => clock });
  });

  const answered = (
    value: number | Promise<never>,
    options: { mayBeOld?: boolean; erasedAt?: number } = {},
  ) =>
    recent.answer(
      { scope: 'shop', query, mayBeOld: true, erasedAt: undefined, ...options },
      async () => resultOf(await value),
    );

  it('are reused for five minutes by callers that accept them', async () => {
    expect(await answered(1)).toMatchObject({
      ...resultOf(1),
      is_cached: false,
    });
    clock = 299_999;
    expect(await answered(2)).toEqual({
      ...resultOf(1),
      is_cached: true,
      last_refresh: '1970-01-01T00:00:00.000Z',
    });
    expect(await answered(3, { mayBeOld: false })).toEqual(resultOf(3));
    expect(await answered(4)).toMatchObject(resultOf(3));
    clock = 700_000;
    expect(await answered(5)).toMatchObject(resultOf(5));
  });

  it('are independent of a caller that leaves while the same query runs', async () => {
    let leave = (_error: Error): void => undefined;
    const first = answered(
      new Promise<never>((_, reject) => {
        leave = reject;
      }),
    );
    const second = answered(2);
    leave(new Error('The caller is no longer waiting for the answer'));
    await expect(first).rejects.toThrow('no longer waiting');
    expect(await second).toMatchObject(resultOf(2));
    expect(await answered(3)).toMatchObject({
      ...resultOf(2),
      is_cached: true,
    });
  });

  it('of before or during an erasure are not reused', async () => {
    await answered(1);
    const erasedAt = 1_000;
    clock = 30_000;
    expect(await answered(2, { erasedAt })).toMatchObject(resultOf(2));
    clock = 62_000;
    expect(await answered(3, { erasedAt })).toMatchObject(resultOf(3));
    expect(await answered(4, { erasedAt })).toMatchObject(resultOf(3));
  });

  it('are those of the query that began last', async () => {
    let end = (_value: number): void => undefined;
    const slow = recent.answer(
      { scope: 'shop', query, mayBeOld: true, erasedAt: undefined },
      async () =>
        resultOf(
          await new Promise<number>(resolve => {
            end = resolve;
          }),
        ),
    );
    clock = 1_000;
    await answered(2, { mayBeOld: false });
    end(1);
    expect(await slow).toMatchObject(resultOf(1));
    expect(await answered(3)).toMatchObject(resultOf(2));
  });
});
