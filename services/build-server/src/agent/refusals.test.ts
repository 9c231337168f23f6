import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { once } from 'node:events';
import type { Order } from '../agents/Agent.ts';
import { EngineError } from '../execution/containers/engineResponses.ts';
import type { Executor } from '../execution/Executor.ts';
import { AgentRunner } from './AgentRunner.ts';
import { RefusedError, type ServerLink } from './ServerLink.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'refusals-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

function runnerWith(
  link: Partial<ServerLink>,
  executor: Partial<Executor> = {},
): AgentRunner {
  return new AgentRunner({
    id: 'one',
    link: {
      session: 'a',
      begin: async () => ({ name: 'agent-1', leaseMs: 60_000 }),
      renew: async () => [],
      ...link,
    } as unknown as ServerLink,
    executor: {
      status: { kind: 'none', limits: null, gaps: [] },
      sweep: async () => undefined,
      tidy: async () => undefined,
      ...executor,
    } as unknown as Executor,
    ...{ directory, capacity: 1, version: 'test' },
    logger: { info() {}, warn() {}, error() {} },
  });
}

/** Answers each request for work with the next refusal. @returns the error that ends the agent. */
async function endAfter(statuses: number[]): Promise<unknown> {
  const left = [...statuses];
  const runner = runnerWith({
    async work(_request: object, signal: AbortSignal) {
      const status = left.shift();
      if (status !== undefined) {
        throw new RefusedError(status, `${status}`);
      }
      await once(signal, 'abort');
      return [];
    },
  });
  const ended = runner.run().then(
    () => undefined,
    (error: unknown) => error,
  );
  await vi.waitFor(() => expect(left).toEqual([]));
  runner.stop();
  return ended;
}

it.each([401, 409])('ends when the server answers %d', async status => {
  expect(await endAfter([status])).toMatchObject({ status });
});

it('asks again after any other answer', async () => {
  expect(await endAfter([404, 400])).toBeUndefined();
});

it('stops although a build could not be accepted yet', async () => {
  let accepts = 0;
  const runner = runnerWith({
    work: async () => [{ build: { id: 1, attempt: 1 } } as Order],
    async accept() {
      accepts += 1;
      throw new TypeError('fetch failed');
    },
  });
  const ended = runner.run();
  await vi.waitFor(() => expect(accepts).toBe(1));
  const before = performance.now();
  runner.stop();
  await ended;
  // Long before it would have given up the build.
  expect(performance.now() - before).toBeLessThan(20_000);
});

it('asks for builds although files of earlier ones cannot be removed', async () => {
  let asks = 0;
  const runner = runnerWith(
    {
      async work(_request: object, signal: AbortSignal) {
        asks += 1;
        await once(signal, 'abort');
        return [];
      },
    },
    { tidy: () => Promise.reject(new Error('A file is immutable')) },
  );
  const ended = runner.run();
  await Promise.race([ended, vi.waitFor(() => expect(asks).toBe(1))]);
  runner.stop();
  await ended;
});

it('does not start while containers of earlier builds may still run', async () => {
  const error = new EngineError(0, 'the container engine failed');
  let begins = 0;
  const runner = runnerWith(
    {
      async begin() {
        begins += 1;
        throw new RefusedError(401, 'It has started');
      },
    },
    { tidy: () => Promise.reject(error) },
  );
  await expect(runner.run()).rejects.toBe(error);
  expect(begins).toBe(0);
});
