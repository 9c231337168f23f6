import { createServer, get } from 'node:http';
import { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import {
  askEditor,
  Harness,
  RecordingReporter,
} from '../__testUtils__/harness';
import { chooseIsolation } from '../sandbox/isolation';

const MEASURE_MS = 10_000;
const never = new AbortController().signal;

/**
 * Needs an otherwise idle machine: run it manually with SLIPWAY_LOAD_TESTS=1. It prints
 * its measurements.
 */
describe.runIf(process.env.SLIPWAY_LOAD_TESTS)('a fork bomb', () => {
  it('in a terminal leaves the portal under 100 ms at the 99th percentile', async () => {
    const probe = new Harness();
    const options = probe.options();
    const limits = { ...options.limits, processes: 1024 };
    const isolation = await chooseIsolation(
      { ...options, limits },
      { production: false },
    );
    const harness = new Harness(isolation);
    const portal = createServer((_, answer) => answer.end('{}'));
    await new Promise<void>(resolve => {
      portal.listen(0, '127.0.0.1', resolve);
    });
    const { port } = portal.address() as AddressInfo;
    try {
      const workspace = await harness
        .runtime({ limits })
        .start(harness.spec('workspace-bomb'), new RecordingReporter(), never);
      const before = await measure(port);
      const bomb = "bash -c ':(){ :|:& };:' >/dev/null 2>&1 & true";
      await askEditor(workspace, `/shell?script=${encodeURIComponent(bomb)}`);
      await sleep(1_000);
      const during = await measure(port);
      // eslint-disable-next-line no-console
      console.log({ before, during });
      expect(during.p99).toBeLessThan(patient(100));
    } finally {
      portal.close();
      await harness.close();
      await probe.close();
    }
  });
});

/** Returns the durations of sequential requests in milliseconds. */
async function measure(port: number) {
  const times: number[] = [];
  const end = Date.now() + MEASURE_MS;
  while (Date.now() < end) {
    const start = performance.now();
    await new Promise<void>((resolve, reject) => {
      get({ port, host: '127.0.0.1' }, answer => {
        answer.resume().on('end', resolve);
      }).on('error', reject);
    });
    times.push(performance.now() - start);
    await sleep(5);
  }
  times.sort((left, right) => left - right);
  const at = (part: number) =>
    Math.round(times[Math.floor(times.length * part)] * 100) / 100;
  return {
    requests: times.length,
    p50: at(0.5),
    p99: at(0.99),
    max: at(0.9999),
  };
}
