import { rmSync } from 'node:fs';
import { WorkspaceExit } from '../WorkspaceRuntime';
import {
  askEditor,
  Harness,
  isAlive,
  RecordingReporter,
  never,
  WORKSPACE_ID,
} from './__testUtils__/harness';
import { InstallationPaths } from './files/WorkspacePaths';

// Workspaces survive a short absence of their portal, and end if it does not return.

describe('LocalRuntime of a portal that returns', () => {
  let harness: Harness;

  beforeEach(() => {
    harness = new Harness();
  });

  afterEach(() => harness.close());

  it('adopts the editors of a portal that was down', async () => {
    const { runtime, started } = harness.startWith();
    const before = await askEditor<number>(await started, '/pid');
    await runtime.shutdown({ stopWorkspaces: false });

    const next = harness.runtime();
    const [found] = await next.list();
    expect(found.running).toBe(true);
    expect(await askEditor<number>(found, '/pid')).toBe(before);

    const exit = new Promise<WorkspaceExit>(resolve => next.onExit(resolve));
    process.kill(before, 'SIGKILL');
    expect((await exit).reason).toBe('The editor was killed (SIGKILL)');
  });

  it('ends editors and terminals when the portal does not return', async () => {
    const runtime = harness.runtime({
      lease: { intervalMs: 500, timeoutMs: 5_000 },
    });
    const workspace = await runtime.start(
      harness.spec(WORKSPACE_ID),
      new RecordingReporter(),
      never,
    );
    const terminal = await askEditor<number>(workspace, '/terminal');
    await runtime.shutdown({ stopWorkspaces: false });

    await vi.waitFor(
      async () => expect(await harness.processes()).toEqual([]),
      { timeout: 30_000 },
    );
    expect(await isAlive(terminal)).toBe(false);
  });

  it('adopts an editor that responds slowly to a returning portal', async () => {
    const { runtime, started } = harness.startWith();
    const before = await askEditor<number>(await started, '/pid');
    process.kill(before, 'SIGSTOP');
    await runtime.shutdown({ stopWorkspaces: false });
    setTimeout(() => process.kill(before, 'SIGCONT'), 6_000);

    const [found] = await harness.runtime().list();
    expect(found.running).toBe(true);
    expect(await askEditor<number>(found, '/pid')).toBe(before);
  });

  it('ends a workspace whose editor does not respond to a returning portal', async () => {
    const { runtime, started } = harness.startWith();
    const workspace = await started;
    const terminal = await askEditor<number>(workspace, '/terminal');
    process.kill(await askEditor<number>(workspace, '/pid'), 'SIGSTOP');
    await runtime.shutdown({ stopWorkspaces: false });

    const next = harness.runtime();
    expect((await next.list())[0].running).toBe(false);
    expect(await isAlive(terminal)).toBe(false);
    expect(await harness.processes()).toEqual([]);
  });

  it('ends processes of a workspace whose folder is gone', async () => {
    const { runtime, started } = harness.startWith();
    await askEditor<number>(await started, '/terminal');
    await runtime.shutdown({ stopWorkspaces: false });
    const { root } = new InstallationPaths(harness.dataDir).of(WORKSPACE_ID);
    rmSync(root, { recursive: true });

    expect(await harness.runtime().list()).toEqual([]);
    expect(await harness.processes()).toEqual([]);
  });
});
