import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { BuildLogs, wholeCharacters } from './BuildLogs.ts';

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
