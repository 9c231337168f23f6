import type { JobStep } from './JobStep.ts';
import { planSteps } from './planSteps.ts';

const namesOf = (step: Partial<JobStep>) => {
  const planned = planSteps([{ name: 'Test', run: 'true', ...step }]);
  return 'plan' in planned
    ? planned.plan.map(({ name, variables }) => [name, variables])
    : planned.faults;
};

it('adds combinations to those of a matrix, also with other variables', () => {
  expect(
    namesOf({
      matrix: { NODE: ['22', '24'] },
      exclude: [{ NODE: '22' }],
      include: [{ NODE: '22', FLAG: 'old' }, { FLAG: 'next' }],
    }),
  ).toEqual([
    ['Test (24)', { NODE: '24' }],
    ['Test (22, old)', { NODE: '22', FLAG: 'old' }],
    ['Test (next)', { FLAG: 'next' }],
  ]);
});

it('runs combinations without a matrix', () => {
  expect(namesOf({ include: [{ NODE: '22' }, { NODE: '24' }] })).toEqual([
    ['Test (22)', { NODE: '22' }],
    ['Test (24)', { NODE: '24' }],
  ]);
  expect(namesOf({})).toEqual([['Test', {}]]);
});

it('refuses the same combination twice', () => {
  expect(
    namesOf({ matrix: { NODE: ['22', '24'] }, include: [{ NODE: '24' }] }),
  ).toEqual([{ at: '0.include', what: 'contains the same combination twice' }]);
});

it('refuses the same combination in another order, and combinations of the same name', () => {
  expect(
    namesOf({
      matrix: { NODE: ['22'], FLAG: ['old'] },
      include: [{ FLAG: 'old', NODE: '22' }],
    }),
  ).toEqual([{ at: '0.include', what: 'contains the same combination twice' }]);
  expect(namesOf({ include: [{ NODE: '22' }, { PYTHON: '22' }] })).toEqual([
    {
      at: '0.include',
      what: 'has combinations of the same values, which make steps of the same name',
    },
  ]);
});

it('refuses a matrix of which nothing is left', () => {
  expect(namesOf({ matrix: { NODE: ['22', '24'] }, exclude: [{}] })).toEqual([
    { at: '0.exclude', what: 'leaves no combination' },
  ]);
});
