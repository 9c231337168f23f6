import {
  createDeriver,
  describeDeriver,
  HOUR,
  NOON,
} from './__testUtils__/describeDeriver';
import { dumpDerived } from './__testUtils__/dumpDerived';

describeDeriver('DatabaseDeriver', setUp => {
  it('detects data that was derived with other settings', async () => {
    const { knex, lake, deriver } = await setUp();
    await lake.putDeployment({
      key: 'd',
      service: 1,
      finishedAt: Date.UTC(2026, 9, 20, 23),
    });
    expect(await deriver.isCurrent()).toBe(false);
    const progress: number[][] = [];
    await deriver.rebuild((done, total) => progress.push([done, total]));
    expect(progress.at(0)).toEqual([0, 9]);
    expect(progress.at(-1)).toEqual([9, 9]);
    expect(await deriver.isCurrent()).toBe(true);

    const elsewhere = createDeriver(knex, 'Asia/Tokyo');
    expect(await elsewhere.isCurrent()).toBe(false);
    await elsewhere.rebuild();
    expect(await elsewhere.isCurrent()).toBe(true);
    expect((await dumpDerived(knex)).counts.map(row => row.day)).toEqual([
      20261021, 20261021,
    ]);
  });

  it('lets other work run between its steps', async () => {
    const { deriver } = await setUp();
    const done: string[] = [];
    setImmediate(() => done.push('other work'));
    await deriver.rebuild(() => done.push('services'));
    expect(done.slice(0, -1)).toContain('other work');
  });

  it('derives once for many concurrent requests from two replicas', async () => {
    const { knex, lake, deriver } = await setUp();
    const replica = createDeriver(knex);
    for (let index = 0; index < 30; index++) {
      await lake.putDeployment({
        key: `d${index}`,
        service: (index % 9) + 1,
        finishedAt: NOON + index * HOUR,
        unplanned: true,
      });
    }
    await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const one = index % 2 ? deriver : replica;
        const id = (index % 9) + 1;
        await one.drain(index % 3 ? [id] : undefined);
        expect(await one.hasDirty([id])).toBe(false);
      }),
    );
    const derived = await dumpDerived(knex);
    expect(
      derived.counts
        .filter(row => row.service_id === 0)
        .reduce((sum, row) => sum + Number(row.rework), 0),
    ).toBe(30);
    await deriver.rebuild();
    expect(await dumpDerived(knex)).toEqual(derived);
  });
});
