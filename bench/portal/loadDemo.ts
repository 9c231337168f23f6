import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Demo,
  DemoClient,
  DemoError,
} from '@slipway/dev-runner/src/demo/DemoClient.ts';

const TIMEOUT_MS = 600_000;

/** Maximum wait, in milliseconds, until a newly started platform knows who may load the demo. */
const SIGN_IN_MS = 60_000;

/**
 * Loads the demo organisation into a platform.
 *
 * @param api - address of the portal, which forwards API requests.
 * @throws Error if loading fails or takes more than ten minutes.
 */
export async function loadDemo(api: string): Promise<void> {
  const client = new DemoClient({ api });
  const deadline = performance.now() + TIMEOUT_MS;
  let demo = await begin(client);
  while (demo.phase === 'loading' && performance.now() < deadline) {
    await sleep(1_000);
    demo = await client.read();
  }
  if (demo.phase !== 'loaded') {
    throw new Error(
      `The demo organisation is ${demo.phase}: ${demo.error ?? 'too slow'}`,
    );
  }
}

async function begin(client: DemoClient): Promise<Demo> {
  const deadline = performance.now() + SIGN_IN_MS;
  for (;;) {
    try {
      return await client.load();
    } catch (error) {
      if (!(error instanceof DemoError) || performance.now() > deadline) {
        throw error;
      }
      await sleep(1_000);
    }
  }
}
