import { type Flag, NEW_TRAITS, type Segment } from '../model/Flag.ts';
import { explain } from './explain.ts';

const flag = (name: string, changes: Partial<Flag>): Flag => ({
  ...NEW_TRAITS,
  name,
  project: 'default',
  createdAt: 0,
  updatedAt: 0,
  archivedAt: null,
  states: {
    development: { enabled: true, strategies: [], variants: [] },
  },
  revisions: { latest: 1, shared: 1, states: {} },
  ...changes,
});

const everyone: Segment = {
  id: 1,
  name: 'everyone',
  description: '',
  project: null,
  constraints: [],
  createdBy: 'ada',
  createdAt: 0,
  revision: 1,
};

it('evaluates one state of flags and segments, even if they change meanwhile', () => {
  const checkout = flag('checkout', {
    dependencies: [{ feature: 'parent', enabled: true }],
    states: {
      development: {
        enabled: true,
        strategies: [
          { id: '1', name: 'default', parameters: {}, segments: [1] },
        ],
        variants: [],
      },
    },
  });
  const parents = [flag('parent', {})];
  let segments = new Map([[1, everyone]]);
  const explanation = explain(checkout, {
    environment: 'development',
    context: {},
    known: {
      find: () => parents.pop(),
      get segments() {
        const read = segments;
        segments = new Map();
        return read;
      },
    },
  });
  expect(explanation).toMatchObject({
    enabled: true,
    strategies: [{ segments: [{ part: everyone, enabled: true }] }],
    dependencies: [{ enabled: true }],
    simulation: { users: 1_000, enabled: 1_000 },
  });
});
