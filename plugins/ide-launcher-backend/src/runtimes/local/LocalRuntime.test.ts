import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import path from 'node:path';
import { eventually } from '../../__testUtils__/eventually';
import { DevfileCommand } from '../../devfile/types';
import { createLifecycle } from '../../workspaces/__testUtils__/createLifecycle';
import { CommitAuthor, WorkspaceExit } from '../WorkspaceRuntime';
import { makeDevfile } from '../../__testUtils__/devfile';
import {
  askEditor,
  Harness,
  isAlive,
  RecordingReporter,
  never,
  WORKSPACE_ID,
} from './__testUtils__/harness';
import { InstallationPaths } from './files/WorkspacePaths';
import { workspaceDatabases } from '../../workspaces/__testUtils__/workspaceDatabases';

function execCommand(
  id: string,
  commandLine: string,
  env: { name: string; value: string }[] = [],
): DevfileCommand {
  return {
    type: 'exec',
    id,
    commandLine,
    component: 'tools',
    label: null,
    group: null,
    workingDir: null,
    env,
  };
}

function postStart(commands: string[]) {
  return { preStart: [], postStart: commands, preStop: [], postStop: [] };
}

const databases = workspaceDatabases();

describe('LocalRuntime', () => {
  let harness: Harness;

  beforeEach(() => {
    harness = new Harness();
  });

  afterEach(() => harness.close());

  it('starts an editor on a socket that only this user can reach', async () => {
    const { runtime, reporter, started } = harness.startWith();
    const workspace = await started;

    expect(workspace.editor.title).toBe('Fake');
    expect(await askEditor<string[]>(workspace, '/arguments')).toEqual(
      expect.arrayContaining(['--disable-proxy', '--auth', 'none']),
    );
    expect(reporter.steps.get('ide')?.state).toBe('done');
    expect(await runtime.list()).toEqual([
      { id: WORKSPACE_ID, running: true, ...workspace },
    ]);
    const socket =
      workspace.target.kind === 'socket' ? workspace.target.path : '';
    expect(statSync(path.dirname(socket)).mode & 0o777).toBe(0o700);
  });

  it('passes nothing of the portal’s environment to the editor', async () => {
    process.env.PORTAL_SECRET = 'hush';
    const { started } = harness.startWith(
      makeDevfile({
        container: {
          env: [
            { name: 'GREETING', value: 'hello' },
            { name: 'HOME', value: '/elsewhere' },
          ],
        },
      }),
    );
    const environment = await askEditor<Record<string, string>>(
      await started,
      '/environment',
    );
    delete process.env.PORTAL_SECRET;

    const { home, projects } = new InstallationPaths(harness.dataDir).of(
      WORKSPACE_ID,
    );
    expect(environment).toMatchObject({
      GREETING: 'hello',
      HOME: home,
      PROJECTS_ROOT: projects,
      PROJECT_SOURCE: projects,
    });
    expect(Object.keys(environment).sort()).toEqual(
      expect.not.arrayContaining(['PORTAL_SECRET', 'USER', 'NODE_OPTIONS']),
    );
    const prompt = execFileSync(
      'bash',
      ['--norc', '-c', 'PS1="\\w"; echo "${PS1@P}"'],
      { cwd: projects, env: environment, encoding: 'utf8' },
    );
    expect(prompt).toBe(`.../${WORKSPACE_ID}/projects\n`);
  });

  it('fails with the cause when the editor ends before it is ready', async () => {
    const { runtime, reporter, started } = harness.startWith(
      makeDevfile({ container: { env: [{ name: 'FAKE_FAILS', value: '1' }] } }),
    );

    await expect(started).rejects.toThrow(
      'The editor ended with exit code 3 before it was ready',
    );
    expect(reporter.steps.get('ide')?.state).toBe('failed');
    await eventually(() =>
      expect(reporter.lines).toContain('ide: No luck today'),
    );
    expect((await runtime.list())[0]).toMatchObject({ running: false });
  });

  it('leaves nothing running when a start is aborted', async () => {
    const abort = new AbortController();
    const runtime = harness.runtime();
    const slow = makeDevfile({
      container: { env: [{ name: 'FAKE_READY_AFTER_MS', value: '20000' }] },
    });
    const started = runtime.start(
      harness.spec(WORKSPACE_ID, slow),
      new RecordingReporter(),
      abort.signal,
    );
    await vi.waitFor(async () =>
      expect(await harness.processes()).not.toEqual([]),
    );
    abort.abort(new Error('Nobody waits'));

    await expect(started).rejects.toThrow('Nobody waits');
    expect(await harness.processes()).toEqual([]);
  });

  it('stops a workspace that is still starting', async () => {
    const { insert, lifecycle, until } = await createLifecycle(
      databases,
      harness.runtime(),
    );
    const workspace = await insert({
      status: 'Stopped',
      devfile: makeDevfile({
        container: { env: [{ name: 'FAKE_READY_AFTER_MS', value: '20000' }] },
      }),
    });
    await lifecycle.start(workspace);
    await vi.waitFor(async () =>
      expect(await harness.processes()).not.toEqual([]),
    );

    await lifecycle.stop(workspace);
    await until(workspace.id, { status: 'Stopped', failed: false });
    expect(await harness.processes()).toEqual([]);
  });

  it('reports why an editor was killed, and ends its terminals', async () => {
    const { runtime, started } = harness.startWith();
    const workspace = await started;
    const terminal = await askEditor<number>(workspace, '/terminal');
    const exit = new Promise<WorkspaceExit>(resolve => runtime.onExit(resolve));

    process.kill(await askEditor<number>(workspace, '/pid'), 'SIGKILL');

    expect(await exit).toEqual({
      id: WORKSPACE_ID,
      reason: 'The editor was killed (SIGKILL)',
    });
    expect(await isAlive(terminal)).toBe(false);
    expect((await runtime.list())[0].running).toBe(false);
  });

  it('makes the owner the author of commits, unless the workspace has a git configuration', async () => {
    const runtime = harness.runtime();
    const { home } = new InstallationPaths(harness.dataDir).of(WORKSPACE_ID);
    const start = (author: CommitAuthor | null) =>
      runtime.start(
        { ...harness.spec(WORKSPACE_ID), author },
        new RecordingReporter(),
        never,
      );
    const configured = (key: string) =>
      execFileSync('git', ['config', '--global', key], {
        env: { PATH: process.env.PATH, HOME: home },
        encoding: 'utf8',
      }).trim();

    await start(null);
    expect(existsSync(path.join(home, '.gitconfig'))).toBe(false);
    await runtime.stop(WORKSPACE_ID);
    await start({ name: 'Ada "Countess" King\\', email: 'ada@example.org' });
    expect(configured('user.name')).toBe('Ada "Countess" King\\');
    expect(configured('user.email')).toBe('ada@example.org');
    await runtime.stop(WORKSPACE_ID);
    await start({ name: 'Other', email: 'other@example.org' });
    expect(configured('user.email')).toBe('ada@example.org');
  });

  it('stops a workspace that exceeds the memory limit of its devfile and editor', async () => {
    const runtime = harness.runtime({
      limits: { ...harness.options().limits, memoryBytes: 400 * 1024 ** 2 },
    });
    const workspace = await runtime.start(
      harness.spec(WORKSPACE_ID),
      new RecordingReporter(),
      never,
    );
    const exit = new Promise<WorkspaceExit>(resolve => runtime.onExit(resolve));
    // The editor may be killed before it responds.
    await askEditor(workspace, '/fill?mebibytes=500').catch(() => undefined);

    expect(await exit).toEqual({
      id: WORKSPACE_ID,
      reason:
        'The workspace used more than its 400 MiB of memory and was stopped; a platform admin can raise the limit',
    });
    expect(await harness.processes()).toEqual([]);
  });

  it('names the memory limit of a workspace before and while it runs', async () => {
    const runtime = harness.runtime({
      limits: { ...harness.options().limits, memoryBytes: 4 * 1024 ** 3 },
    });
    const devfile = makeDevfile({ container: { memoryLimit: '512Mi' } });
    const spec = harness.spec(WORKSPACE_ID, devfile);
    const limit = () => runtime.isolation(spec).limits.memoryMebibytes;
    expect(limit()).toBe(1536);
    await runtime.start(spec, new RecordingReporter(), never);
    expect(limit()).toBe(1536);
    expect(runtime.isolation().limits.memoryMebibytes).toBe(4096);
  });

  it('stops a workspace with too many processes if there is no sandbox', async () => {
    const runtime = harness.runtime({
      limits: { ...harness.options().limits, processes: 5 },
    });
    const workspace = await runtime.start(
      harness.spec(WORKSPACE_ID),
      new RecordingReporter(),
      never,
    );
    const exit = new Promise<WorkspaceExit>(resolve => runtime.onExit(resolve));
    for (let count = 0; count < 6; count += 1) {
      // The editor may be stopped before it responds.
      await askEditor<number>(workspace, '/terminal').catch(() => undefined);
    }

    expect((await exit).reason).toMatch(
      /^The workspace ran \d+ processes of at most 5 and was stopped$/,
    );
    expect(await harness.processes()).toEqual([]);
  });

  it('runs no further commands of a workspace that exceeds its limits', async () => {
    const runtime = harness.runtime({
      limits: { ...harness.options().limits, processes: 5 },
    });
    const exit = new Promise<WorkspaceExit>(resolve => runtime.onExit(resolve));
    const reporter = new RecordingReporter();
    const devfile = makeDevfile({
      commands: [
        execCommand('fill', 'for n in 1 2 3 4 5 6; do sleep 60 & done; wait'),
        execCommand('after', 'touch "$HOME/after"'),
      ],
      events: postStart(['fill', 'after']),
    });
    await runtime.start(harness.spec(WORKSPACE_ID, devfile), reporter, never);

    expect((await exit).reason).toMatch(/^The workspace ran \d+ processes/);
    const { home } = new InstallationPaths(harness.dataDir).of(WORKSPACE_ID);
    expect(existsSync(path.join(home, 'after'))).toBe(false);
    expect(reporter.steps.get('command:after')?.state).toBe('pending');
    expect(await harness.processes()).toEqual([]);
  });

  it('starts nothing once it was shut down, even if a start waited for a stop', async () => {
    const { runtime, started } = harness.startWith();
    await started;
    const stopped = runtime.stop(WORKSPACE_ID);
    const again = runtime
      .start(harness.spec(WORKSPACE_ID), new RecordingReporter(), never)
      .catch((error: Error) => error.message);
    await runtime.shutdown({ stopWorkspaces: true });

    expect(await again).toBe('The portal is shutting down');
    await stopped;
    expect(await harness.processes()).toEqual([]);
  });

  it('completes a stop in progress when it shuts down', async () => {
    const { runtime, started } = harness.startWith();
    process.kill(await askEditor<number>(await started, '/pid'), 'SIGSTOP');
    const stopped = runtime.stop(WORKSPACE_ID);
    await runtime.shutdown({ stopWorkspaces: false });

    expect(await harness.processes()).toEqual([]);
    await stopped;
  });

  it('stops other workspaces at its end while one takes long to stop', async () => {
    const { limits } = harness.options();
    const { runtime, started } = harness.startWith(
      makeDevfile(),
      harness.runtime({ limits: { ...limits, stopTimeoutMs: 60_000 } }),
    );
    const slow = await askEditor<number>(await started, '/pid');
    await runtime.start(
      harness.spec('workspace-b'),
      new RecordingReporter(),
      never,
    );
    process.kill(slow, 'SIGSTOP');
    const stopped = runtime.stop(WORKSPACE_ID);
    const shutDown = runtime.shutdown({ stopWorkspaces: true });
    await eventually(async () => {
      const left = await harness.processes();
      expect(left.map(({ workspaceId }) => workspaceId)).not.toContain(
        'workspace-b',
      );
    });
    expect(await isAlive(slow)).toBe(true);

    process.kill(slow, 'SIGCONT');
    await Promise.all([stopped, shutDown]);
    expect(await harness.processes()).toEqual([]);
  });

  it('stops all workspaces at its end, even if one cannot be cleaned up', async () => {
    const runtime = harness.runtime();
    for (const id of ['workspace-a', 'workspace-b']) {
      await runtime.start(harness.spec(id), new RecordingReporter(), never);
    }
    vi.spyOn(runtime, 'stop').mockRejectedValueOnce(new Error('EBUSY'));
    await runtime.shutdown({ stopWorkspaces: true });

    const left = (await harness.processes()).map(
      process => process.workspaceId,
    );
    expect([...new Set(left)]).toEqual(['workspace-a']);
  });

  it('stops terminals in separate sessions, without reporting it', async () => {
    const { runtime, started } = harness.startWith();
    const terminal = await askEditor<number>(await started, '/terminal');
    const listener = vi.fn();
    runtime.onExit(listener);

    await runtime.stop(WORKSPACE_ID);
    await runtime.stop(WORKSPACE_ID);

    expect(await isAlive(terminal)).toBe(false);
    expect(await harness.processes()).toEqual([]);
    expect(listener).not.toHaveBeenCalled();
  });

  it('names only ports that the workspace itself listens on', async () => {
    const { runtime, started } = harness.startWith();
    const own = await askEditor<number>(await started, '/listen');
    const foreign = createServer().listen(0, '127.0.0.1');
    await new Promise(resolve => foreign.once('listening', resolve));
    const { port } = foreign.address() as AddressInfo;

    expect(await runtime.port(WORKSPACE_ID, own)).toEqual({
      host: '127.0.0.1',
      port: own,
    });
    expect(await runtime.port(WORKSPACE_ID, port)).toBeNull();
    expect(await runtime.port('workspace-other', own)).toBeNull();
    foreign.close();
  });

  it('runs postStart commands after the editor is ready', async () => {
    const env = [{ name: 'WHO', value: 'Ada' }];
    const { reporter, started } = harness.startWith(
      makeDevfile({
        commands: [
          execCommand('greet', 'echo "hello $WHO in $PWD"', env),
          execCommand('hostile', 'echo \0', env),
          execCommand('fail', 'exit 4', env),
        ],
        events: postStart(['greet', 'hostile', 'fail']),
      }),
    );
    await started;
    await eventually(() =>
      expect(reporter.steps.get('command:fail')?.state).toBe('warning'),
    );

    const { projects } = new InstallationPaths(harness.dataDir).of(
      WORKSPACE_ID,
    );
    expect(reporter.lines).toContain(`command: hello Ada in ${projects}`);
    expect(reporter.steps.get('command:greet')?.state).toBe('done');
    expect(reporter.steps.get('command:fail')?.message).toBe(
      'Run fail failed: it ended with exit code 4',
    );
    // A command that cannot be spawned counts as failed.
    expect(reporter.steps.get('command:hostile')).toMatchObject({
      state: 'warning',
      message: expect.stringContaining('null bytes'),
    });
  });

  it('keeps files when stopped and deletes them with the workspace', async () => {
    const { runtime, started } = harness.startWith();
    await started;
    const { root, userData } = new InstallationPaths(harness.dataDir).of(
      WORKSPACE_ID,
    );
    await runtime.stop(WORKSPACE_ID);

    const settings = readFileSync(
      path.join(userData, 'User/settings.json'),
      'utf8',
    );
    expect(JSON.parse(settings)).toMatchObject({
      'chat.disableAIFeatures': true,
      'telemetry.telemetryLevel': 'off',
    });
    await runtime.delete(WORKSPACE_ID);
    expect(existsSync(root)).toBe(false);
    expect(await runtime.list()).toEqual([]);
  });

  it.each(['../other', 'workspace-../../etc', 'workspace-A', ''])(
    'touches nothing for the id %j',
    async id => {
      const runtime = harness.runtime();
      await expect(runtime.delete(id)).rejects.toThrow('Not a workspace id');
      await expect(
        runtime.start(harness.spec(id), new RecordingReporter(), never),
      ).rejects.toThrow('Not a workspace id');
    },
  );

  it('starts 20 workspaces at once', async () => {
    const runtime = harness.runtime();
    const ids = Array.from({ length: 20 }, (_, index) => `workspace-${index}`);
    await Promise.all(
      ids.map(id =>
        runtime.start(harness.spec(id), new RecordingReporter(), never),
      ),
    );

    const running = (await runtime.list()).filter(found => found.running);
    expect(running.map(({ id }) => id).sort()).toEqual([...ids].sort());
  });
});
