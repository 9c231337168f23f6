import { SharedWork } from './SharedWork';

describe('SharedWork', () => {
  it('does the work once for all who ask while it goes on, and anew for those who ask later', async () => {
    const shared = new SharedWork();
    const works: string[] = [];
    const ask = (name: string) =>
      shared.run('a', async () => {
        works.push(name);
      });

    const asked = Promise.all([ask('first'), ask('second')]);
    expect(shared.has('a')).toBe(true);
    await asked;
    expect(shared.has('a')).toBe(false);
    await ask('third');
    expect(works).toEqual(['first', 'third']);
  });

  it('keeps the work of ids apart', async () => {
    const shared = new SharedWork();
    const done = vi.fn(async () => {});
    await Promise.all([shared.run('a', done), shared.run('b', done)]);
    expect(done).toHaveBeenCalledTimes(2);
  });

  it('tells everybody of a failure, and lets the next try', async () => {
    const shared = new SharedWork();
    const failing = shared.run('a', async () => {
      throw new Error('EBUSY');
    });
    const waiting = shared.ended('a');
    const joining = shared.run('a', async () => {});

    await expect(failing).rejects.toThrow('EBUSY');
    await expect(waiting).rejects.toThrow('EBUSY');
    await expect(joining).rejects.toThrow('EBUSY');
    await expect(shared.ended('a')).resolves.toBeUndefined();
    await expect(shared.run('a', async () => {})).resolves.toBeUndefined();
  });
});
