import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Worker } from 'node:worker_threads';
import { InvalidRequestError, RateLimitedError } from '@slipway/service-kit';
import { type Flag, NEW_TRAITS } from '../model/Flag.ts';
import { Explainer } from './Explainer.ts';

/** Creates a flag with expressions; the more parts each has, the longer it takes to compile. */
function flagWith(expressions: number, parts: number): Flag {
  const constraints = Array.from({ length: expressions }, (_, index) => ({
    contextName: 'userId',
    operator: 'REGEX',
    value: Array.from(
      { length: parts },
      (_each, part) => `\\pL{0,${800 + index + part}}`,
    ).join(''),
  }));
  return {
    ...NEW_TRAITS,
    name: 'checkout',
    project: 'default',
    createdAt: 0,
    updatedAt: 0,
    archivedAt: null,
    states: {
      development: {
        enabled: true,
        strategies: [{ id: '1', name: 'default', parameters: {}, constraints }],
        variants: [],
      },
    },
    revisions: { latest: 1, shared: 1, states: {} },
  };
}

const questionAbout = (flag: Flag) => ({
  flag,
  others: [],
  segments: [],
  environment: 'development',
  context: { userId: 'ada' },
});

const ada = { caller: 'user:default/ada' };

/** Returns the next thread that starts. */
const nextThread = () =>
  new Promise<Worker>(resolve => {
    process.once('worker', resolve);
  });

it('gives up rules that take too long, without blocking anything else', async () => {
  const longestMs = 5_000;
  const explainer = new Explainer({ longestMs });
  let longest = 0;
  let latest = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - latest);
    latest = performance.now();
  }, 10);
  const heavy = explainer.explain(questionAbout(flagWith(50, 80)), ada);
  await expect(heavy).rejects.toThrow(InvalidRequestError);
  clearInterval(timer);
  expect(longest).toBeLessThan(0.8 * longestMs);
  const light = await explainer.explain(questionAbout(flagWith(1, 1)), ada);
  expect(light).toMatchObject({ enabled: true, reason: 'matching rule' });
  await explainer.close();
});

it('lets so many wait and no more', async () => {
  const explainer = new Explainer();
  const ask = (caller: string) =>
    explainer.explain(questionAbout(flagWith(0, 0)), { caller });
  const answers = await Promise.allSettled(
    Array.from({ length: 21 }, (_, index) => ask(`user:default/${index}`)),
  );
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(
    20,
  );
  await expect(Promise.resolve(answers.at(-1))).resolves.toMatchObject({
    reason: expect.any(RateLimitedError),
  });
  expect(await ask('user:default/ada')).toMatchObject({ enabled: true });
  await explainer.close();
});

it('lets one caller ask two questions at a time, so that others get their turn', async () => {
  const explainer = new Explainer();
  const ask = (caller: string) =>
    explainer.explain(questionAbout(flagWith(0, 0)), { caller });
  const answers = await Promise.allSettled(
    ['ada', 'ada', 'ada', 'bob'].map(name => ask(`user:default/${name}`)),
  );
  expect(answers.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect(await ask('user:default/ada')).toMatchObject({ enabled: true });
  await explainer.close();
});

it('does not evaluate for callers who have gone, and lets them ask again', async () => {
  const explainer = new Explainer();
  const first = explainer.explain(questionAbout(flagWith(0, 0)), ada);
  const gone = new AbortController();
  const heavy = explainer.explain(questionAbout(flagWith(50, 80)), {
    ...ada,
    signal: gone.signal,
  });
  const refused = heavy.catch((error: unknown) => error);
  gone.abort(new Error('The caller has gone'));
  const next = explainer.explain(questionAbout(flagWith(0, 0)), ada);
  expect(await first).toMatchObject({ enabled: true });
  expect(await next).toMatchObject({ enabled: true });
  expect(await refused).toMatchObject({ message: 'The caller has gone' });
  await explainer.close();
});

it('gives no place to a caller who has gone before', async () => {
  const explainer = new Explainer();
  const ask = (signal?: AbortSignal) =>
    explainer.explain(questionAbout(flagWith(0, 0)), { ...ada, signal });
  const first = ask();
  const gone = Array.from({ length: 2 }, () =>
    ask(AbortSignal.abort(new Error('The caller has gone'))),
  );
  const refused = Promise.allSettled(gone);
  const second = ask();
  expect(await Promise.all([first, second])).toHaveLength(2);
  expect(await refused).toMatchObject(
    gone.map(() => ({ reason: { message: 'The caller has gone' } })),
  );
  await explainer.close();
});

it('refuses and drops questions of callers who leave while another is evaluated', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const explainer = new Explainer();
  let isBusy = true;
  const heavy = explainer
    .explain(questionAbout(flagWith(50, 80)), ada)
    .catch(() => {
      isBusy = false;
    });
  const gone = new AbortController();
  const askAndForget = () => {
    const question = questionAbout(flagWith(0, 0));
    const answer = explainer.explain(question, { ...ada, signal: gone.signal });
    return { answer, kept: new WeakRef(question) };
  };
  const { answer, kept } = askAndForget();
  const refused = answer.catch((error: unknown) => error);
  await sleep(10);
  gone.abort(new Error('The caller has gone'));
  expect(await refused).toMatchObject({ message: 'The caller has gone' });
  // A WeakRef keeps its target alive until the end of the turn of the event loop in which it was created.
  await sleep(10);
  collect();
  expect(kept.deref()).toBeUndefined();
  expect(isBusy).toBe(true);
  await explainer.close();
  await heavy;
});

it('outlives a thread that fails while nobody waits for it', async () => {
  const started = nextThread();
  const explainer = new Explainer();
  await explainer.explain(questionAbout(flagWith(0, 0)), ada);
  const thread = await started;
  expect(() => thread.emit('error', new Error('No memory'))).not.toThrow();
  await explainer.close();
});

it('starts another thread after one that ended while nobody waited for it', async () => {
  const started = nextThread();
  const explainer = new Explainer();
  const ask = () => explainer.explain(questionAbout(flagWith(0, 0)), ada);
  await ask();
  const thread = await started;
  await thread.terminate();
  expect(await ask()).toMatchObject({ enabled: true });
  await explainer.close();
});

describe('tables', () => {
  const columns = [
    { environment: 'development', context: { userId: 'ada' } },
    { environment: 'production', context: { userId: 'ada' } },
  ];
  const partWith = (...flags: Flag[]) => ({
    flags,
    others: [],
    segments: [],
    columns,
  });

  it('are evaluated part by part, in one turn', async () => {
    const explainer = new Explainer();
    const ended: string[] = [];
    const table = explainer
      .tabulate([partWith(flagWith(0, 0)), partWith(flagWith(1, 1))], ada)
      .finally(() => ended.push('table'));
    const next = explainer
      .explain(questionAbout(flagWith(0, 0)), ada)
      .finally(() => ended.push('next'));
    const certain = { variant: null, random: false };
    const on = { enabled: true, reason: 'matching rule', ...certain };
    const off = { enabled: false, reason: 'turned off', ...certain };
    expect(await table).toEqual([
      [on, off],
      [on, off],
    ]);
    await next;
    expect(ended).toEqual(['table', 'next']);
    await explainer.close();
  });

  it('have one limit of time for all parts', async () => {
    const explainer = new Explainer({ longestMs: 1_000 });
    function* endless() {
      for (;;) {
        yield partWith(flagWith(0, 0));
      }
    }
    await expect(explainer.tabulate(endless(), ada)).rejects.toThrow(
      'The rules take too long to evaluate',
    );
    await explainer.close();
  });

  it('name the flags at which their time ended', async () => {
    const explainer = new Explainer({ longestMs: 5_000 });
    const named = (name: string, flag: Flag) => ({ ...flag, name });
    const light = partWith(named('about', flagWith(0, 0)));
    const heavy = partWith(
      named('basket', flagWith(50, 80)),
      named('checkout', flagWith(0, 0)),
    );
    await expect(explainer.tabulate([light, heavy], ada)).rejects.toThrow(
      /^The rules take too .*: basket to checkout$/,
    );
    await explainer.close();
  });

  it('end once their caller has gone', async () => {
    const explainer = new Explainer();
    const gone = new AbortController();
    let threads = 0;
    const count = () => {
      threads += 1;
    };
    process.on('worker', count);
    function* untilGone() {
      yield partWith(flagWith(0, 0));
      gone.abort(new Error('The caller has gone'));
      yield partWith(flagWith(0, 0));
      throw new Error('The table goes on');
    }
    await expect(
      explainer.tabulate(untilGone(), { ...ada, signal: gone.signal }),
    ).rejects.toThrow('The caller has gone');
    expect(
      await explainer.explain(questionAbout(flagWith(0, 0)), ada),
    ).toMatchObject({ enabled: true });
    process.off('worker', count);
    // The thread was not busy, and is reused.
    expect(threads).toBe(1);
    await explainer.close();
  });
});
