import { PreviewLimit } from './PreviewLimit';

describe('PreviewLimit', () => {
  const never = () => new Promise<void>(() => {});

  it('limits the previews of all callers together', async () => {
    const limit = new PreviewLimit({ caller: 2, everyone: 3 });
    void limit.within('user:default/ada', never);
    void limit.within('user:default/ada', never);
    let end = () => {};
    const ending = limit.within(
      'user:default/grace',
      () =>
        new Promise<void>(resolve => {
          end = resolve;
        }),
    );
    await expect(limit.within('user:default/kim', never)).rejects.toThrow(
      'The platform has 3 of at most 3 previews in progress; try again in a moment',
    );
    end();
    await ending;
    await expect(
      limit.within('user:default/kim', async () => 'read'),
    ).resolves.toBe('read');
  });

  it('counts no preview that failed', async () => {
    const limit = new PreviewLimit({ caller: 1, everyone: 1 });
    const failing = limit.within('user:default/ada', async () => {
      throw new Error('cannot reach example.org');
    });
    await expect(failing).rejects.toThrow('cannot reach example.org');
    await expect(
      limit.within('user:default/ada', async () => 'read'),
    ).resolves.toBe('read');
  });
});
