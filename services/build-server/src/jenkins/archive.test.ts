import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import {
  basic,
  startBuildServer,
  TRIGGER_TOKEN,
} from '../__testUtils__/startBuildServer.ts';

const ARCHIVE = 'artifact/*zip*/archive.zip';

it('holds all artifacts of a build', async () => {
  const server = await startBuildServer({
    jobs: [
      {
        name: 'job',
        steps: [
          {
            name: 'Make',
            run: "mkdir out; seq 100000 > out/numbers.txt; printf ü > 'out/a\\ü.txt'",
          },
        ],
        artifacts: ['out/*'],
      },
      { name: 'bare', steps: [{ name: 'Nothing', run: 'true' }] },
    ],
  });
  onTestFinished(() => server.stop());
  const client = new BuildClient(server.url);
  await client.build('job');
  await client.build('bare');
  const response = await fetch(`${client.url}/job/job/1/${ARCHIVE}`, {
    headers: { authorization: basic('dev', TRIGGER_TOKEN) },
  });
  expect(response.headers.get('content-type')).toBe('application/zip');
  const zip = await fromBufferPromise(
    Buffer.from(await response.arrayBuffer()),
  );
  const files: Record<string, string> = {};
  for await (const entry of zip.eachEntry()) {
    files[entry.fileName] = await text(await zip.openReadStreamPromise(entry));
  }
  const numbers = Array.from({ length: 100_000 }, (_, n) => `${n + 1}\n`);
  expect(files).toEqual({
    'archive/out/a_ü.txt': 'ü',
    'archive/out/numbers.txt': numbers.join(''),
  });
  expect(await client.get(`/job/bare/1/${ARCHIVE}`)).toMatchObject({
    status: 404,
  });
});
