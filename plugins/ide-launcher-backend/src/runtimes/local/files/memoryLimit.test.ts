import { makeDevfile } from '../../../__testUtils__/devfile';
import { memoryLimitOf } from './devfileEnvironment';

const GIBIBYTE = 1024 ** 3;

describe('memoryLimitOf', () => {
  it('adds the editor’s memory to the devfile’s limit', () => {
    const devfile = makeDevfile({ container: { memoryLimit: '512Mi' } });
    expect(memoryLimitOf(devfile, 8 * GIBIBYTE)).toBe(1.5 * GIBIBYTE);
  });

  it('never exceeds the configured limit', () => {
    const devfile = makeDevfile({ container: { memoryLimit: '64Gi' } });
    expect(memoryLimitOf(devfile, 4 * GIBIBYTE)).toBe(4 * GIBIBYTE);
  });

  it('uses the configured limit by default', () => {
    expect(memoryLimitOf(makeDevfile(), GIBIBYTE)).toBe(GIBIBYTE);
  });
});
