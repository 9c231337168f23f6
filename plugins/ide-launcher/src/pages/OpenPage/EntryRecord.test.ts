import { EntryRecord } from './useEnterIde';

describe('EntryRecord', () => {
  beforeEach(() => sessionStorage.clear());

  it('sees a loop in three entries within half a minute', () => {
    const record = new EntryRecord({
      workspaceId: 'w1',
      storage: sessionStorage,
    });
    record.add(0);
    record.add(1_000);
    expect(record.isLooping(2_000)).toBe(false);
    record.add(2_000);
    expect(record.isLooping(3_000)).toBe(true);
    expect(record.isLooping(31_500)).toBe(false);
  });

  it('stores each workspace separately and clears on demand', () => {
    const one = new EntryRecord({ workspaceId: 'w1', storage: sessionStorage });
    const other = new EntryRecord({
      workspaceId: 'w2',
      storage: sessionStorage,
    });
    [0, 1, 2].forEach(at => one.add(at));
    expect(other.isLooping(3)).toBe(false);
    one.clear();
    expect(one.isLooping(3)).toBe(false);
  });
});
