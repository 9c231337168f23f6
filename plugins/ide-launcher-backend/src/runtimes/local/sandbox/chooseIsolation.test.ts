import { mockServices } from '@backstage/backend-test-utils';
import { Harness } from '../__testUtils__/harness';
import { LocalRuntimeOptions } from '../options';
import { chooseIsolation } from './isolation';
import { describeIsolation } from './Sandbox';

describe('chooseIsolation', () => {
  const harness = new Harness();
  const logger = mockServices.rootLogger();

  afterAll(() => harness.close());

  /** Returns options with which no sandbox works, as in most containers. */
  function broken(
    isolation: Partial<LocalRuntimeOptions['isolation']> = {},
  ): LocalRuntimeOptions {
    const options = harness.options();
    return {
      ...options,
      logger,
      limits: { ...options.limits, processes: Number.NaN },
      isolation: { ...options.isolation, network: 'shared', ...isolation },
    };
  }

  it('runs without isolation if unavailable in development, with a warning', async () => {
    const found = await chooseIsolation(broken(), { production: false });
    expect(found.sandbox).toBeNull();
    const described = describeIsolation(found, 1024 ** 3);
    expect(described).toMatchObject({
      kind: 'none',
      network: 'shared',
      limits: { memoryMebibytes: 1024, processes: null },
    });
    expect(described.gaps.join(' ')).toMatch(
      /bubblewrap (is not installed|does not work here)|Isolation needs Linux/,
    );
  });

  it('refuses to start in production without isolation', async () => {
    await expect(
      chooseIsolation(broken(), { production: true }),
    ).rejects.toThrow(
      /^Workspaces cannot be isolated: .*ideLauncher\.local\.isolation\.mode/,
    );
  });

  it('refuses to start without isolation if it is required', async () => {
    await expect(
      chooseIsolation(broken({ mode: 'required' }), { production: false }),
    ).rejects.toThrow('Workspaces cannot be isolated');
  });

  it('starts in production without isolation if that is configured', async () => {
    const warn = vi.spyOn(logger, 'warn');
    const found = await chooseIsolation(broken({ mode: 'none' }), {
      production: true,
    });
    expect(found.sandbox).toBeNull();
    expect(warn).toHaveBeenCalledWith(
      expect.stringContaining('without isolation'),
    );
  });
});
