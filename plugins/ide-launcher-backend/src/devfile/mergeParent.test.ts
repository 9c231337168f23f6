import { patient } from '@slipway/dev-runner/src/patience.ts';
import { mergeMappings } from './mergeParent';

describe('mergeMappings', () => {
  it('merges named lists by name and replaces other lists', () => {
    const base = {
      image: 'a',
      args: ['1', '2'],
      env: [
        { name: 'A', value: '1' },
        { name: 'B', value: '2' },
      ],
    };
    const patch = {
      args: ['3'],
      env: [
        { name: 'B', value: '3' },
        { name: 'C', value: '4' },
      ],
    };
    expect(mergeMappings(base, patch)).toEqual({
      image: 'a',
      args: ['3'],
      env: [
        { name: 'A', value: '1' },
        { name: 'B', value: '3' },
        { name: 'C', value: '4' },
      ],
    });
    expect(base.args).toEqual(['1', '2']);
  });

  it('merges long lists in linear time', () => {
    const list = (prefix: string) =>
      Array.from({ length: 10_000 }, (_, index) => ({
        name: `${prefix}${index}`,
      }));
    const started = performance.now();
    const { env } = mergeMappings({ env: list('A') }, { env: list('B') });
    expect(env).toHaveLength(20_000);
    expect(performance.now() - started).toBeLessThan(patient(200));
  });

  it('replaces one of several forms by another', () => {
    expect(
      mergeMappings(
        { name: 'k', kubernetes: { uri: 'a', deployByDefault: true } },
        { name: 'k', kubernetes: { inlined: 'b' } },
      ),
    ).toEqual({
      name: 'k',
      kubernetes: { inlined: 'b', deployByDefault: true },
    });
    expect(
      mergeMappings(
        { name: 'p', git: { remotes: {} } },
        { name: 'p', zip: {} },
      ),
    ).toEqual({ name: 'p', zip: {} });
  });
});
