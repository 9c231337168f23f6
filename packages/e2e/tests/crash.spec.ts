import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { findPortHolder } from '@slipway/dev-runner/src/ports.ts';
import { addresses, ports, stateDirectory } from '../src/addresses.ts';
import { enterWorkspace, WorkspaceSession } from '../src/enterWorkspace.ts';
import { WorkspaceApi } from '../src/WorkspaceApi.ts';
import {
  findEditorProcess,
  findWorkspaceProcesses,
} from '../src/workspaceProcesses.ts';
import { patient } from '@slipway/dev-runner/src/patience.ts';

const DEVFILE = `${addresses.forge}/devfile.yaml`;
const RUNNING = 5;

/** Time limit from the backend being ready again until every workspace has its actual state. */
const RECOVERY_MS = patient(10_000);

/** Time limit for a backend to restart on a busy machine; editors wait a little longer for it. */
const RETURN_MS = patient(100_000);

const dataDirectory = `${stateDirectory}/ide-launcher`;
const api = new WorkspaceApi({
  api: addresses.api,
  token: 'dev-service-token',
});

interface RunningWorkspace {
  id: string;
  session: WorkspaceSession;
  editorPid: number;
  /** A file that was not committed to git. */
  notes: string;
}

function editorPid(workspaceId: string): number | undefined {
  return findEditorProcess({ dataDirectory, workspaceId })?.pid;
}

function processIds(workspaceId: string): number[] {
  return findWorkspaceProcesses(dataDirectory)
    .filter(found => found.workspaceId === workspaceId)
    .map(({ pid }) => pid);
}

async function createRunning(): Promise<RunningWorkspace> {
  const { workspaceId: id } = await api.create({ devfileUrl: DEVFILE });
  await api.until(id, 'Running');
  const notes = `${dataDirectory}/workspaces/${id}/projects/shop/notes.txt`;
  writeFileSync(notes, `notes of ${id}`);
  return {
    id,
    notes,
    session: await enterWorkspace(await api.ticket(id)),
    editorPid: editorPid(id)!,
  };
}

/** Kills the backend and waits for the one that the platform starts instead. */
async function crashBackend(): Promise<void> {
  const killed = findPortHolder(ports.api)!.pid;
  process.kill(killed, 'SIGKILL');
  await expect
    .poll(
      async () => {
        const readiness = await fetch(
          `${addresses.api}/.backstage/health/v1/readiness`,
        ).catch(() => null);
        return readiness?.ok && findPortHolder(ports.api)?.pid !== killed;
      },
      { timeout: RETURN_MS, intervals: [100] },
    )
    .toBe(true);
}

test.afterEach(async () => {
  const { workspaces } = await api.list();
  await Promise.all(
    workspaces.map(({ workspaceId }) => api.delete(workspaceId)),
  );
});

/** Returns the ids of workspaces with processes or directories. */
function workspaceIds(): Set<string> {
  return new Set([
    ...findWorkspaceProcesses(dataDirectory).map(
      ({ workspaceId }) => workspaceId,
    ),
    ...['workspaces', 'run']
      .map(name => `${dataDirectory}/${name}`)
      .flatMap(folder => (existsSync(folder) ? readdirSync(folder) : [])),
  ]);
}

test('workspaces survive a killed backend', async () => {
  // Other tests leave workspaces of other users.
  const others = workspaceIds();
  const ours = (ids: Iterable<string>) =>
    new Set([...ids].filter(id => !others.has(id)));
  const before = await Promise.all(
    Array.from({ length: RUNNING }, createRunning),
  );
  const starting = await api.create({ devfileUrl: DEVFILE });
  expect(starting.status).toBe('Starting');

  await crashBackend();
  const ready = Date.now();

  const { workspaces } = await api.list();
  const statuses = new Map(
    workspaces.map(({ workspaceId, status }) => [workspaceId, status]),
  );
  expect(statuses.size).toBe(RUNNING + 1);
  for (const workspace of before) {
    expect(statuses.get(workspace.id)).toBe('Running');
    // The same process: the user notices only a pause.
    expect(editorPid(workspace.id)).toBe(workspace.editorPid);
    expect(await workspace.session.ask()).toBe(200);
    expect(readFileSync(workspace.notes, 'utf8')).toBe(
      `notes of ${workspace.id}`,
    );
  }

  await api.until(starting.workspaceId, 'Running', RECOVERY_MS);
  const session = await enterWorkspace(await api.ticket(starting.workspaceId));
  expect(await session.ask()).toBe(200);
  expect(Date.now() - ready).toBeLessThan(RECOVERY_MS);

  const marked = findWorkspaceProcesses(dataDirectory);
  expect(ours(marked.map(({ workspaceId }) => workspaceId))).toEqual(
    new Set(statuses.keys()),
  );

  await test.step('an editor is killed while the new backend is running', () =>
    killEditor(before[0]));

  await test.step('a deleted workspace leaves nothing behind', async () => {
    await Promise.all([...statuses.keys()].map(id => api.delete(id)));
    expect(ours(workspaceIds())).toEqual(new Set());
  });
});

test('a killed editor stops its workspace, which can be started again', async () => {
  const workspace = await createRunning();
  await killEditor(workspace);
});

async function killEditor(workspace: RunningWorkspace): Promise<void> {
  const { id, session, notes } = workspace;
  process.kill(editorPid(id)!, 'SIGKILL');
  await expect
    .poll(async () => (await api.get(id)).status, { timeout: patient(5_000) })
    .toBe('Stopped');
  const stopped = await api.get(id);
  expect(stopped).toMatchObject({
    failed: true,
    statusMessage: 'The editor was killed (SIGKILL)',
  });
  expect(processIds(id)).toEqual([]);
  expect(await session.ask()).not.toBe(200);

  await api.start(id);
  await api.until(id, 'Running');
  expect(existsSync(notes)).toBe(true);
  const again = await enterWorkspace(await api.ticket(id));
  expect(await again.ask()).toBe(200);
}
