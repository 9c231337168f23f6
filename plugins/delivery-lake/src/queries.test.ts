import { recentDays } from './queries';

describe('recentDays', () => {
  it('begins 30 days before the end of today', () => {
    const now = Date.parse('2026-11-21T07:00:00Z');
    expect(recentDays(now)).toEqual({ startDate: '2026-10-23' });
  });
});
