import type { TestSpecification } from 'vitest/node';
import { longFilesFirst } from './longFilesFirst.ts';

const ATTACKER = '/services/space-metrics/src/privacy/attacker.test.ts';

function specification(name: string, moduleId: string): TestSpecification {
  return { moduleId, project: { name } } as TestSpecification;
}

describe('longFilesFirst', () => {
  it('starts long files before the others in their project, which keep their order', () => {
    const sorted = longFilesFirst([
      specification('feedback', '/c'),
      specification('space-metrics', '/b'),
      specification('space-metrics', ATTACKER),
      specification('space-metrics', '/a'),
    ]);
    expect(sorted.map(({ moduleId }) => moduleId)).toEqual([
      '/c',
      ATTACKER,
      '/b',
      '/a',
    ]);
  });
});
