import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { Artifacts } from './Artifacts.ts';

let directory: string;
let artifacts: Artifacts;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'artifacts-'));
  artifacts = new Artifacts({ directory, maxBytes: 100 });
});

afterEach(() => rm(directory, { recursive: true }));

/** Sends a file as an agent does. @returns whether it was kept. */
function send(
  name: string,
  parts: readonly string[],
  options: { isHeld?: boolean; to?: Artifacts } = {},
): Promise<boolean> {
  const { isHeld = true, to = artifacts } = options;
  return to.receive(1, name, {
    content: (async function* content() {
      for (const part of parts) {
        yield Buffer.from(part);
      }
    })(),
    isHeld: async () => isHeld,
  });
}

const TOO_LARGE = 'The artifacts are larger than 100 bytes in total';

it('limits the artifacts that an agent sends together', async () => {
  expect(await send('a/one', ['x'.repeat(60)])).toBe(true);
  await expect(send('two', ['x'.repeat(30), 'x'.repeat(30)])).rejects.toThrow(
    TOO_LARGE,
  );
  // Files that were refused, or sent after the agent lost the build, do not count.
  expect(await send('three', ['x'.repeat(40)], { isHeld: false })).toBe(false);
  expect(await send('four', ['x'.repeat(40)])).toBe(true);
  expect((await readdir(directory, { recursive: true })).sort()).toEqual([
    '1',
    '1/a',
    '1/a/one',
    '1/four',
  ]);
  // Another server reads them from disk.
  const other = new Artifacts({ directory, maxBytes: 100 });
  await expect(send('five', ['x'], { to: other })).rejects.toThrow(TOO_LARGE);
});

it('counts a file once that is sent again, and none after its build began anew', async () => {
  await send('one', ['x'.repeat(90)]);
  expect(await send('./one', ['y'.repeat(95)])).toBe(true);
  const file = await artifacts.open(1, 'one');
  expect(await text(file!.createReadStream())).toBe('y'.repeat(95));
  await artifacts.remove(1);
  expect(await send('two', ['x'.repeat(90)])).toBe(true);
});

it('limits files that arrive at the same time', async () => {
  const results = await Promise.allSettled([
    send('one', ['x'.repeat(30), 'x'.repeat(30)]),
    send('two', ['x'.repeat(30), 'x'.repeat(30)]),
  ]);
  expect(results.filter(({ status }) => status === 'rejected')).not.toEqual([]);
});

it('limits their number', async () => {
  for (let number = 0; number < 1_000; number += 1) {
    await send(`${number}`, []);
  }
  await expect(send('more', ['x'])).rejects.toThrow(
    'There are more than 1000 artifacts',
  );
});
