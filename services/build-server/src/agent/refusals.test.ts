import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { once } from 'node:events';
import type { Executor } from '../execution/Executor.ts';
import { AgentRunner } from './AgentRunner.ts';
import { RefusedError, type ServerLink } from './ServerLink.ts';

/** Answers each request for work with the next refusal. @returns the error that ends the agent. */
async function endAfter(statuses: number[]): Promise<unknown> {
  const directory = await mkdtemp(path.join(tmpdir(), 'refusals-'));
  const left = [...statuses];
  const runner = new AgentRunner({
    id: 'one',
    link: {
      session: 'a',
      begin: async () => ({ name: 'agent-1', leaseMs: 10_000 }),
      async work(_request: object, signal: AbortSignal) {
        const status = left.shift();
        if (status !== undefined) {
          throw new RefusedError(status, `${status}`);
        }
        await once(signal, 'abort');
        return [];
      },
      renew: async () => [],
    } as unknown as ServerLink,
    executor: {
      status: { kind: 'none', limits: null, gaps: [] },
      sweep: async () => undefined,
      tidy: async () => undefined,
    } as unknown as Executor,
    ...{ directory, capacity: 1, version: 'test' },
    logger: { info() {}, warn() {}, error() {} },
  });
  const ended = runner.run().then(
    () => undefined,
    (error: unknown) => error,
  );
  await vi.waitFor(() => expect(left).toEqual([]));
  runner.stop();
  await rm(directory, { recursive: true, force: true });
  return ended;
}

it.each([401, 409])('ends when the server answers %d', async status => {
  expect(await endAfter([status])).toMatchObject({ status });
});

it('asks again after any other answer', async () => {
  expect(await endAfter([404, 400])).toBeUndefined();
});
