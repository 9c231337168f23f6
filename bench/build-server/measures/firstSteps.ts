import { setTimeout as sleep } from 'node:timers/promises';
import { percentile, type Row, summary } from '../../runBench.ts';
import { Builds } from '../Builds.ts';
import { cpuMs } from '../../processUse.ts';
import type { RunningProcess, RunningServer } from '../servers.ts';

const WARM_UP = 3;
const PAUSE_MS = 100;

/** A job whose step prints the time at which it runs, in nanoseconds since the Unix epoch. */
export const CLOCK_JOB = {
  concurrent: true,
  steps: [{ name: 'Build', run: 'date +%s%N' }],
};

/** A system that builds a job whose only step prints the clock. */
export interface Starter {
  name: string;
  /** Ids of all of its processes, except those of builds. */
  pids: readonly number[];
  /** Runs one build. @returns milliseconds from sending the trigger to the time the step printed. */
  build(): Promise<number>;
}

/** Creates a starter for a build server; `agent` is the agent that runs its builds, if any. */
export async function starterOf(
  name: string,
  server: RunningServer,
  agent?: RunningProcess,
): Promise<Starter & { stop(): Promise<void> }> {
  const builds = new Builds(server, 'clock');
  let number = 0;
  return {
    name,
    pids: [server.pid, ...(agent ? [agent.pid] : [])],
    async build() {
      const sentAt = await builds.trigger();
      number += 1;
      await builds.succeeded(number);
      const [nanoseconds] = /^\d{19}$/m.exec(await builds.log(number)) ?? [];
      return Number(nanoseconds) / 1e6 - sentAt;
    },
    stop: () => builds.close(),
  };
}

interface Waits {
  samples: number[];
  /** Processor time of each build, in milliseconds. */
  cpuMs: number;
}

/** Builds with each system in turn, so that other load on the machine slows all of them. */
async function measure(
  starters: readonly Starter[],
  times: number,
): Promise<Waits[]> {
  const samples = starters.map((): number[] => []);
  const before: number[] = [];
  for (let round = -WARM_UP; round < times; round += 1) {
    for (const [index, starter] of starters.entries()) {
      if (round === 0) {
        before[index] = sum(starter.pids.map(cpuMs));
      }
      const waited = await starter.build();
      if (round >= 0) {
        samples[index].push(waited);
      }
      await sleep(PAUSE_MS);
    }
  }
  return starters.map(({ pids }, index) => ({
    samples: samples[index],
    cpuMs: (sum(pids.map(cpuMs)) - before[index]) / times,
  }));
}

/**
 * Measures how soon after a trigger the first step runs.
 *
 * @param own - our systems, with their targets in milliseconds.
 * @param options.peer - a system to compare them with.
 */
export async function firstSteps(
  own: readonly { starter: Starter; median: number; p95: number }[],
  options: { peer?: Starter; times: number },
): Promise<Row[]> {
  const { peer, times } = options;
  const starters = [
    ...own.map(({ starter }) => starter),
    ...(peer ? [peer] : []),
  ];
  const waits = await measure(starters, times);
  const describe = ({ samples, cpuMs: used }: Waits) =>
    `${summary(samples)}, CPU ${used.toFixed(0)} ms`;
  const beside = peer ? `${peer.name}: ${describe(waits.at(-1)!)}` : '';
  return own.map(({ starter, median, p95 }, index): Row => {
    const { samples } = waits[index];
    return {
      what: `from the trigger to its first step, ${starter.name}`,
      target: `median ≤ ${median} ms, p95 ≤ ${p95} ms`,
      measured: describe(waits[index]),
      beside,
      met: percentile(samples, 50) <= median && percentile(samples, 95) <= p95,
    };
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
