import type { ChangeRequest } from '../model/ChangeRequest.ts';
import {
  approve,
  assertApplicable,
  type Author,
  mayApprove,
  scheduleAt,
} from './transitions.ts';

const person = (name: string): Author => ({
  by: `user:default/${name}`,
  principals: [`user:default/${name}`],
  isPerson: true,
});

const request: ChangeRequest = {
  id: 1,
  flag: 'checkout',
  environment: 'production',
  change: {
    kind: 'state',
    from: { enabled: false, strategies: [], variants: [] },
    to: { enabled: true, strategies: [], variants: [] },
  },
  state: 'In review',
  createdBy: 'user:default/ada',
  authors: ['user:default/ada'],
  reviews: [],
  createdAt: 0,
  updatedAt: 0,
  scheduledAt: null,
  endedBy: null,
};

it('is approved again by the same person once fewer approvals are required', () => {
  const action = { author: person('grace'), now: 1 };
  const before = approve(request, action, 2);
  expect(before.state).toBe('In review');
  expect(mayApprove(before, person('grace'), 2)).toBe(false);
  expect(mayApprove(before, person('grace'), 1)).toBe(true);
  expect(mayApprove(before, person('ada'), 1)).toBe(false);
  const after = approve(before, action, 1);
  expect(() => assertApplicable(after, 1)).not.toThrow();
});

describe('a change request that was approved before more approvals were required', () => {
  const byGrace = { author: person('grace'), now: 1 };
  const byBob = { author: person('bob'), now: 2 };
  const approved = approve(request, byGrace, 1);

  it.each([approved, scheduleAt(approved, byGrace, 10)])(
    'is approved by others, and then applied: %o',
    before => {
      expect(() => assertApplicable(before, 2)).toThrow('1 of 2 approvals');
      expect(mayApprove(before, person('bob'), 2)).toBe(true);
      const after = approve(before, byBob, 2);
      expect(after.state).toBe(before.state);
      expect(() => assertApplicable(after, 2)).not.toThrow();
      expect(mayApprove(after, person('eve'), 2)).toBe(false);
      expect(() => approve(after, byBob, 2)).toThrow(`is ${before.state}`);
    },
  );

  it('is approved neither twice by one person, nor by its author', () => {
    expect(mayApprove(approved, person('grace'), 2)).toBe(false);
    expect(mayApprove(approved, person('ada'), 2)).toBe(false);
  });
});
