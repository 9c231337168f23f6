import { StartRecorder } from './StartRecorder';
import { NewLogLine, WorkspaceChange } from './Workspace';

function createRecorder() {
  const batches: { change: WorkspaceChange | null; lines: NewLogLine[] }[] = [];
  const clock = { now: new Date('2026-05-01T12:00:00.000Z') };
  const recorder = new StartRecorder({
    save: async batch => void batches.push(batch),
    now: () => clock.now,
  });
  const saved = async () => {
    await recorder.flush();
    return batches;
  };
  return { recorder, clock, saved };
}

describe('StartRecorder', () => {
  it('keeps steps in the order of their first mention, with their times', async () => {
    const { recorder, clock, saved } = createRecorder();
    recorder.step({ id: 'clone', title: 'Clone', state: 'running' });
    recorder.step({ id: 'ide', title: 'Start the IDE', state: 'pending' });
    recorder.step({
      id: 'clone',
      title: 'Clone',
      state: 'running',
      progress: 0.5,
    });
    clock.now = new Date('2026-05-01T12:00:03.000Z');
    recorder.step({ id: 'clone', title: 'Clone', state: 'done' });

    const [{ change }] = await saved();
    expect(change?.steps).toEqual([
      {
        id: 'clone',
        title: 'Clone',
        state: 'done',
        progress: null,
        message: null,
        startedAt: '2026-05-01T12:00:00.000Z',
        endedAt: '2026-05-01T12:00:03.000Z',
      },
      {
        id: 'ide',
        title: 'Start the IDE',
        state: 'pending',
        progress: null,
        message: null,
        startedAt: null,
        endedAt: null,
      },
    ]);
  });

  it('saves with the next batch what could not be saved', async () => {
    const save = vi
      .fn<(batch: unknown) => Promise<void>>()
      .mockRejectedValueOnce(new Error('Connection terminated unexpectedly'))
      .mockResolvedValue();
    const recorder = new StartRecorder({ save });
    recorder.step({ id: 'ide', title: 'Start the IDE', state: 'done' });
    recorder.log('ide', 'one');
    await recorder.flush();
    recorder.log('ide', 'two');
    await recorder.flush();
    await recorder.flush();

    expect(save).toHaveBeenCalledTimes(2);
    expect(save).toHaveBeenLastCalledWith({
      change: expect.objectContaining({
        steps: [expect.objectContaining({ id: 'ide', state: 'done' })],
      }),
      lines: [
        expect.objectContaining({ text: 'one' }),
        expect.objectContaining({ text: 'two' }),
      ],
    });
  });

  it('keeps the order of lines if a batch fails while the next one waits', async () => {
    const saved: string[] = [];
    let fail = () => {};
    const failing = new Promise<void>((_, reject) => {
      fail = () => reject(new Error('Connection terminated unexpectedly'));
    });
    let attempts = 0;
    const recorder = new StartRecorder({
      save: async ({ lines }) => {
        attempts += 1;
        if (attempts === 1) {
          await failing;
        }
        saved.push(...lines.map(({ text }) => text));
      },
    });
    recorder.log('ide', 'one');
    const first = recorder.flush();
    recorder.log('ide', 'two');
    const second = recorder.flush();
    fail();
    await Promise.all([first, second]);

    expect(saved).toEqual(['one', 'two']);
  });

  it('saves the last report once the database is back, without another one', async () => {
    vi.useFakeTimers();
    try {
      const save = vi
        .fn<(batch: unknown) => Promise<void>>()
        .mockRejectedValueOnce(new Error('Connection terminated unexpectedly'))
        .mockResolvedValue();
      const recorder = new StartRecorder({ save });
      recorder.step({ id: 'ide', title: 'Start the IDE', state: 'running' });
      await recorder.close();
      expect(save).toHaveBeenCalledTimes(1);

      await vi.advanceTimersByTimeAsync(60_000);
      expect(save).toHaveBeenCalledTimes(2);
      expect(save).toHaveBeenLastCalledWith(
        expect.objectContaining({
          change: expect.objectContaining({
            steps: [expect.objectContaining({ id: 'ide', state: 'warning' })],
          }),
        }),
      );
    } finally {
      vi.useRealTimers();
    }
  });

  it('saves nothing any more after it is abandoned', async () => {
    vi.useFakeTimers();
    try {
      const save = vi
        .fn<(batch: unknown) => Promise<void>>()
        .mockRejectedValue(new Error('Connection terminated unexpectedly'));
      const recorder = new StartRecorder({ save });
      recorder.log('ide', 'one');
      await recorder.close();
      recorder.abandon();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(save).toHaveBeenCalledTimes(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('records a warning once', async () => {
    const { recorder, saved } = createRecorder();
    recorder.warn('Not cloned');
    recorder.warn('Not cloned');

    const [{ change }] = await saved();
    expect(change?.startWarnings).toEqual(['Not cloned']);
  });

  it('fails the step that runs, with the cause', async () => {
    const { recorder, saved } = createRecorder();
    recorder.step({ id: 'clone', title: 'Clone', state: 'done' });
    recorder.step({ id: 'ide', title: 'Start the IDE', state: 'running' });
    recorder.fail('The editor did not answer');

    const [{ change, lines }] = await saved();
    expect(
      change?.steps?.map(({ state, message }) => [state, message]),
    ).toEqual([
      ['done', null],
      ['failed', 'The editor did not answer'],
    ]);
    expect(lines.map(({ text }) => text)).toEqual([
      'The editor did not answer',
    ]);
  });

  it('ignores everything once it is closed', async () => {
    const { recorder, saved } = createRecorder();
    recorder.log('command', 'before');
    await recorder.close();
    recorder.log('command', 'after');
    recorder.warn('after');
    recorder.step({ id: 'ide', title: 'Start the IDE', state: 'running' });

    const batches = await saved();
    expect(batches).toHaveLength(1);
    expect(batches[0].change).toBeNull();
    expect(batches[0].lines.map(({ text }) => text)).toEqual(['before']);
  });

  it('leaves no step running once it is closed', async () => {
    const { recorder, saved } = createRecorder();
    recorder.step({ id: 'ide', title: 'Start the IDE', state: 'done' });
    recorder.step({ id: 'seed', title: 'Run seed', state: 'running' });
    recorder.step({ id: 'test', title: 'Run test', state: 'pending' });
    await recorder.close();

    const [{ change }] = await saved();
    expect(
      change?.steps?.map(({ state, message }) => [state, message]),
    ).toEqual([
      ['done', null],
      ['warning', 'Interrupted before it finished'],
      ['pending', null],
    ]);
  });

  it('drops NUL characters, which a database may not store', async () => {
    const { recorder, saved } = createRecorder();
    recorder.log('command', 'a\0b');
    const [{ lines }] = await saved();
    expect(lines[0].text).toBe('ab');
  });

  it('splits text into lines, reports dropped ones, and keeps all lines of the portal', async () => {
    const { recorder, saved } = createRecorder();
    recorder.log('command', 'one\r\ntwo');
    recorder.log('command', 'x\n'.repeat(6_000));
    recorder.log('slipway', 'The editor was killed (SIGKILL)');

    const lines = (await saved()).flatMap(batch => batch.lines);
    expect(lines.slice(0, 2).map(({ text }) => text)).toEqual(['one', 'two']);
    expect(lines).toHaveLength(5_001);
    expect(lines.at(-2)?.text).toContain('the rest is not stored');
    expect(lines.at(-1)?.text).toBe('The editor was killed (SIGKILL)');
  });
});
