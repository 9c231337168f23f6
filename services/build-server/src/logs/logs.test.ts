import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { SecretMask } from '../secrets/SecretMask.ts';
import { wholeCharacters } from './BuildLog.ts';
import { BuildLogs } from './BuildLogs.ts';

async function read(logs: BuildLogs, start = 0, maxBytes?: number) {
  const { bytes, ...chunk } = await logs.read(1, start, maxBytes);
  return { text: bytes.toString(), ...chunk };
}

it('never splits a character, and loses none', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (text, cut) => {
      const bytes = Buffer.from(text);
      const part = bytes.subarray(0, cut % (bytes.length + 1));
      const whole = wholeCharacters(part);
      expect(whole.toString()).not.toContain('\ufffd');
      expect(part.length - whole.length).toBeLessThan(4);
      expect(text.startsWith(whole.toString())).toBe(true);
    }),
  );
});

it('cuts a full log between characters, however they arrive', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'logs-'));
  const written = Buffer.from('äé🥊€'.repeat(3));
  for (let maxBytes = 1; maxBytes < written.length; maxBytes += 1) {
    for (const size of [1, 2, 5, written.length]) {
      const logs = new BuildLogs({ directory, maxBytes });
      const log = await logs.append(1);
      for (let from = 0; from < written.length; from += size) {
        await log.write(written.subarray(from, from + size));
      }
      await log.close();
      const { text } = await read(logs);
      const [kept, note] = text.split('\n==> ');
      expect(written.toString().startsWith(kept)).toBe(true);
      const lacking = maxBytes - Buffer.byteLength(kept);
      expect([0, 1, 2, 3]).toContain(lacking);
      expect(note).toMatch(/^The log has reached/);
      await logs.remove(1);
    }
  }
  await rm(directory, { recursive: true });
});

it('cuts what an agent sends between characters', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'logs-'));
  const logs = new BuildLogs({ directory, maxBytes: 0 });
  // The notes of the server and of the agent have this much more room.
  const room = 262_144;
  const written = Buffer.from(`x${'ä'.repeat(room)}`);
  const end = await logs.writeAt(1, 0, written);
  expect(Math.abs(end - room)).toBeLessThan(4);
  expect(written.subarray(0, end).toString()).not.toContain('\ufffd');
  expect(await logs.size(1)).toBe(end);
  // What no longer fits is dropped, and not asked for again.
  expect(await logs.writeAt(1, end, written)).toBe(end + written.length);
  expect(await logs.size(1)).toBe(end);
  await rm(directory, { recursive: true });
});

it('splits a long line of one of several programs between characters', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'logs-'));
  const logs = new BuildLogs({ directory, maxBytes: 1_000_000 });
  const log = await logs.append(1, new SecretMask([]));
  const lines = log.lines('[db] ');
  const bytes = Buffer.from(`x${'ä'.repeat(40_000)}`);
  await lines.write(bytes.subarray(0, 70_000));
  await lines.write(bytes.subarray(70_000));
  await lines.end();
  await log.close();
  const { text } = await read(logs);
  expect(text).not.toContain('\ufffd');
  expect(text.replaceAll('[db] ', '').replaceAll('\n', '')).toBe(`${bytes}`);
  await rm(directory, { recursive: true });
});

it('reads a log in parts that are all of it', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'logs-'));
  const logs = new BuildLogs({ directory, maxBytes: 10_000 });
  expect(await read(logs)).toEqual({ text: '', end: 0, hasMore: false });
  const log = await logs.append(1);
  const written = 'zwölf Boxkämpfer 🥊 '.repeat(20);
  await Promise.all([log.write(written), log.write('das Ende')]);
  await log.close();
  let all = '';
  for (let start = 0, more = true; more;) {
    const chunk = await read(logs, start, 7);
    all += chunk.text;
    start = chunk.end;
    more = chunk.hasMore;
  }
  expect(all).toBe(`${written}das Ende`);
  await rm(directory, { recursive: true });
});

it('marks a result as discarded if it is the last line', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'logs-'));
  const logs = new BuildLogs({ directory, maxBytes: 10_000 });
  await logs.discardResult(1);
  const log = await logs.append(1);
  await log.write('Finished: SUCCESS\nabc Finished: SUCCESS\n');
  await logs.discardResult(1);
  const { text } = await read(logs);
  expect(text).toBe('Finished: SUCCESS\nabc Finished: SUCCESS\n');
  await log.note('Finished: NOT_BUILT');
  await log.close();
  await logs.discardResult(1);
  expect((await read(logs)).text).toBe(`${text}Discarded NOT_BUILT\n`);
  await rm(directory, { recursive: true });
});

it('lets other work continue while it looks through a log of empty lines', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'logs-'));
  const logs = new BuildLogs({ directory, maxBytes: 10_000_000 });
  const log = await logs.append(1);
  await log.write('\n'.repeat(4 * 1024 * 1024));
  await log.close();
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  });
  const index = await logs.index(1, async () => ({ steps: [], isEnded: true }));
  expect(await index.search('x')).toEqual({ matches: [], more: false });
  clearInterval(counting);
  // It is looked through twice, in 32 parts each.
  expect(turns).toBeGreaterThan(20);
  await rm(directory, { recursive: true });
});
