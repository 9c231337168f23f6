import { makeDevfile } from '../../../__testUtils__/devfile';
import { memoryLimitOf } from './limits';

const GIBIBYTE = 1024 ** 3;

describe('memoryLimitOf', () => {
  it('adds the editor to what the devfile asks for', () => {
    const devfile = makeDevfile({ container: { memoryLimit: '512Mi' } });
    expect(memoryLimitOf(devfile, 8 * GIBIBYTE)).toBe(1.5 * GIBIBYTE);
  });

  it('never gives more than is configured', () => {
    const devfile = makeDevfile({ container: { memoryLimit: '64Gi' } });
    expect(memoryLimitOf(devfile, 4 * GIBIBYTE)).toBe(4 * GIBIBYTE);
  });

  it('gives what is configured where the devfile does not say', () => {
    expect(memoryLimitOf(makeDevfile(), GIBIBYTE)).toBe(GIBIBYTE);
  });
});
