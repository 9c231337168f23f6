import { setTimeout as sleep } from 'node:timers/promises';
import { BuildCluster } from './BuildCluster.ts';
import { PodFiles } from './PodFiles.ts';

test('reports content that this machine cannot store, even while it waits for more', async () => {
  const files = new PodFiles({
    cluster: new BuildCluster({
      namespace: 'builds',
      connection: { kind: 'in-cluster' },
      account: 'the test',
      limits: { requestTimeoutMs: 1_000, requestAttempts: 1 },
    }),
    pod: 'pod',
    directory: '/nonexistent',
    maxBytes: 1_000,
    signal: new AbortController().signal,
  });

  await expect(files.put(slowly('first', 'second'))).rejects.toThrow('ENOENT');
});

async function* slowly(...parts: readonly string[]): AsyncIterable<Buffer> {
  for (const part of parts) {
    yield Buffer.from(part);
    await sleep(50);
  }
}
