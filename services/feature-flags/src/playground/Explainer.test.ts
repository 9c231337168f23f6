import { InvalidRequestError, RateLimitedError } from '@slipway/service-kit';
import { type Flag, NEW_TRAITS } from '../model/Flag.ts';
import { Explainer } from './Explainer.ts';

/** A flag with expressions, each of which takes longer to compile the more parts it has. */
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

it('gives up rules that take too long, without blocking anything else', async () => {
  const explainer = new Explainer({ longestMs: 3_000 });
  let longest = 0;
  let latest = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - latest);
    latest = performance.now();
  }, 10);
  const heavy = explainer.explain(questionAbout(flagWith(50, 80)));
  await expect(heavy).rejects.toThrow(InvalidRequestError);
  clearInterval(timer);
  expect(longest).toBeLessThan(2_000);
  const light = await explainer.explain(questionAbout(flagWith(1, 1)));
  expect(light).toMatchObject({ enabled: true, reason: 'matching rule' });
  await explainer.close();
});

it('lets so many wait and no more', async () => {
  const explainer = new Explainer();
  const ask = () => explainer.explain(questionAbout(flagWith(0, 0)));
  const answers = await Promise.allSettled(Array.from({ length: 21 }, ask));
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(
    20,
  );
  await expect(Promise.resolve(answers.at(-1))).resolves.toMatchObject({
    reason: expect.any(RateLimitedError),
  });
  expect(await ask()).toMatchObject({ enabled: true });
  await explainer.close();
});
