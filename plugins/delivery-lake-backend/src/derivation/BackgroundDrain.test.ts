import { BackgroundDrain } from './Deriver';

class CountingDeriver {
  drains = 0;
  fails = false;

  async drain() {
    this.drains += 1;
    if (this.fails) {
      throw new Error('no database');
    }
  }
}

describe('BackgroundDrain', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function create() {
    const deriver = new CountingDeriver();
    const warnings: string[] = [];
    const drain = new BackgroundDrain({
      deriver,
      logger: { warn: message => warnings.push(message) },
    });
    return { deriver, drain, warnings };
  }

  it('drains once after many batches, and again after the next', async () => {
    const { deriver, drain } = create();
    drain.soon();
    drain.soon();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(deriver.drains).toBe(1);

    drain.soon();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(deriver.drains).toBe(2);
  });

  it('logs a failure, and continues', async () => {
    const { deriver, drain, warnings } = create();
    deriver.fails = true;
    drain.soon();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(warnings).toHaveLength(1);

    drain.soon();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(deriver.drains).toBe(2);
  });

  it('stops', async () => {
    const { deriver, drain } = create();
    drain.soon();
    await drain.stop();
    drain.soon();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(deriver.drains).toBe(0);
  });
});
