import { Readable } from 'node:stream';
import { inTurns } from './bodies.ts';

it('reads one chunk per turn of the event loop, across all bodies', async () => {
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) {
      setImmediate(count);
    }
  };
  setImmediate(count);
  const turns: number[] = [];
  const read = async () => {
    const chunks = Array.from({ length: 10 }, () => Buffer.alloc(64));
    let length = 0;
    for await (const chunk of inTurns(Readable.from(chunks))) {
      length += chunk.length;
      turns.push(turn);
    }
    expect(length).toBe(640);
  };
  await Promise.all([read(), read(), read()]);
  isOver = true;
  // The first chunk of each is available immediately.
  const later = turns.slice(3);
  expect(new Set(later).size).toBe(later.length);
});

it('leaves a stream open if reading stops early', async () => {
  const body = Readable.from([Buffer.from('a'), Buffer.from('b')]);
  const chunks = inTurns(body);
  expect((await chunks.next()).value).toEqual(Buffer.from('a'));
  await chunks.return();
  expect(body.destroyed).toBe(false);
});

it('does not wait for a slow body', async () => {
  const slow = inTurns(new Readable({ read() {} }));
  const first = slow.next();
  const quick: Buffer[] = [];
  for await (const chunk of inTurns(Readable.from([Buffer.from('a')]))) {
    quick.push(chunk);
  }
  expect(quick).toHaveLength(1);
  void first;
});
