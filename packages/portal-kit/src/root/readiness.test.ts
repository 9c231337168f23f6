import { Readiness } from './readiness';

describe('Readiness', () => {
  it('names databases that cannot be written, and believes a write for a while', async () => {
    const readiness = new Readiness();
    const full = vi.fn(async (): Promise<void> => {
      throw new Error('SQLITE_FULL: database or disk is full');
    });
    const good = vi.fn(async () => {});
    readiness.add('ide-launcher', full);
    readiness.add('delivery-lake', good);
    expect(await readiness.failing()).toEqual(['ide-launcher']);
    full.mockImplementation(async () => {});
    expect(await readiness.failing()).toEqual([]);
    await Promise.all([readiness.failing(), readiness.failing()]);
    expect(full).toHaveBeenCalledTimes(2);
    expect(good).toHaveBeenCalledTimes(1);
  });
});
