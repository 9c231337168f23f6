import { monitorEventLoopDelay } from 'node:perf_hooks';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import { component, GIT, startCatalog } from '../__testUtils__/startCatalog';
import { describeFailure } from './describeFailure';

const target = `${GIT}/hostile.yaml`;

/** Far longer than on a loaded machine, and far shorter than the attacks blocked the process. */
const MAX_BLOCKED_MS = patient(3_000);

/** Returns the longest time, in milliseconds, for which the event loop was blocked. */
async function longestBlock(work: () => Promise<void>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  await work();
  // The delay is recorded in the next iteration of the event loop.
  await new Promise(resolve => {
    setTimeout(resolve, 50);
  });
  delays.disable();
  return delays.max / 1e6;
}

describe('a descriptor that is made to take long', () => {
  let catalog: Awaited<ReturnType<typeof startCatalog>>;

  beforeAll(async () => {
    catalog = await startCatalog({});
  });

  it.each([
    [
      'a name of slashes',
      component('/s'.repeat(100_000)),
      'metadata.name must have at most 63',
    ],
    [
      'a name of rules',
      component(`"${'/s must '.repeat(25_000)}"`),
      'metadata.name must have at most 63 characters',
    ],
    [
      'a kind of failed checks',
      component('shop').replace(
        'Component',
        `"${'Policy check failed for '.repeat(8_000)}"`,
      ),
      'kind must have at most 63 characters',
    ],
    [
      'many keys',
      component('shop') +
        Array.from({ length: 60_000 }, (_, i) => `k${i}: 1\n`).join(''),
      'too many elements',
    ],
    [
      'an annotation of slashes',
      component('shop').replace(
        'metadata:',
        `metadata:\n  annotations: {a: {b: ${'/s must '.repeat(20_000)}}}`,
      ),
      'annotations',
    ],
    [
      'a label of slashes',
      component('shop').replace(
        'metadata:',
        `metadata:\n  labels: {a: ${'/s'.repeat(100_000)}}`,
      ),
      'labels.a',
    ],
    ['many documents', '---\n'.repeat(200_000), 'too many elements'],
    ['many errors', `${'{ a: b: c ] '.repeat(60_000)}`, 'too many elements'],
    ['deep nesting', '- '.repeat(400_000), 'nested too deeply'],
    ['multiplying aliases', bomb(), 'Excessive alias count'],
  ])('%s is refused at once', async (_, text, message) => {
    catalog.reader.set(target, text);
    const blocked = await longestBlock(async () => {
      const answer = await catalog.register({ type: 'url', target });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ error: expect.stringContaining(message) });
      expect(answer.body.error.length).toBeLessThan(5_000);
    });
    expect(blocked).toBeLessThan(MAX_BLOCKED_MS);
  });

  it('names a key that stands twice, by its line', async () => {
    catalog.reader.set(target, `${component('shop')}kind: API\n`);
    const answer = await catalog.register({ type: 'url', target });
    expect(answer.body.error).toContain(
      'Map keys must be unique at line 7, column 1',
    );
  });

  it('is worded in linear time', () => {
    for (const part of [
      '/s',
      '/s must ',
      ' must be - a',
      ', aError',
      '<root> must',
    ]) {
      const started = process.cpuUsage().user;
      describeFailure(part.repeat(100_000));
      expect(process.cpuUsage().user - started).toBeLessThan(patient(500_000));
    }
  });
});

function bomb(): string {
  const levels = Array.from(
    { length: 9 },
    (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(9)}]\n`,
  );
  return `a0: &a0 x\n${levels.join('')}`;
}
