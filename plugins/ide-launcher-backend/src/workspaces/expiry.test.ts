import { extendedUntil, stopsAt } from './expiry';

const USED = '2026-05-01T12:00:00.000Z';
const running = {
  status: 'Running' as const,
  lastUsedAt: USED,
  extendedUntil: null,
};

describe('stopsAt', () => {
  it('is the idle time after the last use', () => {
    expect(stopsAt(running, 30)?.toISOString()).toBe(
      '2026-05-01T12:30:00.000Z',
    );
  });

  it('is never earlier than the owner extended it to', () => {
    const extended = { ...running, extendedUntil: '2026-05-01T14:00:00.000Z' };
    expect(stopsAt(extended, 30)?.toISOString()).toBe(extended.extendedUntil);
    const passed = { ...running, extendedUntil: '2026-05-01T12:10:00.000Z' };
    expect(stopsAt(passed, 30)?.toISOString()).toBe('2026-05-01T12:30:00.000Z');
  });

  it('is null for workspaces that are not running or never stop automatically', () => {
    expect(stopsAt({ ...running, status: 'Stopped' }, 30)).toBeNull();
    expect(stopsAt(running, null)).toBeNull();
  });
});

describe('extendedUntil', () => {
  it('adds an hour to the moment of the stop', () => {
    const now = new Date('2026-05-01T12:20:00.000Z');
    expect(extendedUntil(running, 30, now).toISOString()).toBe(
      '2026-05-01T13:30:00.000Z',
    );
  });

  it('adds an hour to now where that is later', () => {
    const now = new Date('2026-05-01T15:00:00.000Z');
    expect(extendedUntil(running, 30, now).toISOString()).toBe(
      '2026-05-01T16:00:00.000Z',
    );
  });
});
