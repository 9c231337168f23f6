import { TokenMemory } from './PortalIdentity.ts';

describe('TokenMemory', () => {
  let now = 0;
  const memory = new TokenMemory<string>(() => now);

  beforeEach(() => {
    now = 0;
  });

  it('caches results for a token for ten seconds', () => {
    memory.set('a', 'ada');
    now = 9_999;
    expect(memory.get('a')).toBe('ada');
    expect(memory.get('b')).toBeUndefined();
    now = 10_000;
    expect(memory.get('a')).toBeUndefined();
  });

  it('keeps nothing longer than its token', () => {
    memory.set('a', 'ada', 4_000);
    now = 4_000;
    expect(memory.get('a')).toBeUndefined();
  });

  it('forgets everything when the clock is set back', () => {
    memory.set('a', 'ada');
    now = -3_600_000;
    expect(memory.get('a')).toBeUndefined();
  });

  it('deletes an entry', () => {
    memory.set('a', 'ada');
    memory.delete('a');
    expect(memory.get('a')).toBeUndefined();
  });
});
