import { aWorkspace } from '../../__testUtils__/workspaces';
import { openStore } from '../__testUtils__/openStore';
import { workspaceDatabases } from '../__testUtils__/workspaceDatabases';

const databases = workspaceDatabases(['SQLITE_3', 'POSTGRES_18']);

it('runs on SQLite and PostgreSQL', () => {
  expect(databases.eachSupportedId().flat().sort()).toEqual([
    'POSTGRES_18',
    'SQLITE_3',
  ]);
});

describe.each(databases.eachSupportedId())('on %s', databaseId => {
  const createStore = () => openStore(databases, databaseId);

  it('stores messages of programs, which may contain NUL characters', async () => {
    const { store } = await createStore();
    const { id } = aWorkspace();
    await store.insert(aWorkspace({ id }));
    await store.update(id, { statusMessage: 'git: \0exit 128' });
    expect(await store.get(id)).toMatchObject({
      statusMessage: 'git: exit 128',
    });
  });

  it('returns inserted records with all fields', async () => {
    const { store } = await createStore();
    const workspace = aWorkspace({
      editor: { id: 'code-server', title: 'VS Code', version: '4' },
      revision: 'main',
      starterProject: 'hello',
      repositoryUrl: 'https://git.example.org/acme/shop/-/tree/main',
      warnings: ['No volumes'],
      startWarnings: ['Not cloned'],
      statusMessage: "It's “quoted”",
    });
    await store.insert(workspace);

    await expect(store.get(workspace.id)).resolves.toEqual(workspace);
    const devfileUrl = 'https://git.example.org/acme/shop/.devfile.yaml';
    await store.update(workspace.id, { devfileUrl });
    await expect(store.get(workspace.id)).resolves.toMatchObject({
      devfileUrl,
      repositoryUrl: workspace.repositoryUrl,
    });
    await expect(store.get('workspace-none')).resolves.toBeUndefined();
  });

  it('changes a workspace only if it was neither used nor extended since', async () => {
    const { store } = await createStore();
    const workspace = aWorkspace({ status: 'Running' });
    const { id } = workspace;
    await store.insert(workspace);
    await store.update(id, { extendedUntil: '2026-01-01T02:00:00.000Z' });
    const stop = (use: Parameters<typeof store.transition>[3]) =>
      store.transition(id, ['Running'], { status: 'Stopping' }, use);

    await expect(stop(workspace)).resolves.toBe(false);
    const extended = (await store.get(id))!;
    await store.update(id, { lastUsedAt: '2026-01-01T01:00:00.000Z' });
    await expect(stop(extended)).resolves.toBe(false);
    await expect(stop((await store.get(id))!)).resolves.toBe(true);
  });

  it('lets one of two concurrent inserts of a name win', async () => {
    const { store } = await createStore();
    const twins = [aWorkspace({ name: 'twin' }), aWorkspace({ name: 'twin' })];
    const outcomes = await Promise.allSettled(
      twins.map(twin => store.insert(twin)),
    );

    expect(outcomes.map(({ status }) => status).sort()).toEqual([
      'fulfilled',
      'rejected',
    ]);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: {
        name: 'ConflictError',
        message:
          "A workspace named 'twin' already exists in namespace 'ada-workspaces'",
      },
    });
    await store.insert(aWorkspace({ name: 'twin', namespace: 'elsewhere' }));
  });

  it('assigns a namespace to its first owner, until its last workspace is removed', async () => {
    const { store } = await createStore();
    const till = (owner: string) =>
      aWorkspace({ namespace: 'till', owner: `user:default/${owner}` });
    const all = [till('ada'), till('ada'), till('grace'), till('grace')];
    const outcomes = await Promise.allSettled(
      all.map(workspace => store.insert(workspace)),
    );
    const owner = await store.namespaceOwner('till');
    expect(owner).toMatch(/^user:default\/(ada|grace)$/);
    outcomes.forEach((outcome, index) =>
      expect(outcome.status).toBe(
        all[index].owner === owner ? 'fulfilled' : 'rejected',
      ),
    );
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: {
        name: 'NotAllowedError',
        message: "Namespace 'till' belongs to another user; choose another one",
      },
    });

    for (const workspace of all.filter(mine => mine.owner === owner)) {
      await expect(store.namespaceOwner('till')).resolves.toBe(owner);
      await store.remove(workspace.id);
    }
    await expect(store.namespaceOwner('till')).resolves.toBeUndefined();
    await store.insert(all.find(mine => mine.owner !== owner)!);
  });

  it('never loses a namespace while workspaces come and go', async () => {
    const { store } = await createStore();
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const passing = aWorkspace({ namespace: 'busy' });
        await store.insert(passing);
        await store.remove(passing.id);
      }),
    );
    const last = aWorkspace({ namespace: 'busy' });
    await store.insert(last);
    await expect(store.namespaceOwner('busy')).resolves.toBe(last.owner);
  });

  it("lists an owner's workspaces, newest first, by status", async () => {
    const { store } = await createStore();
    const older = aWorkspace({ status: 'Running' });
    const newer = aWorkspace({ status: 'Stopped' });
    await store.insert(older);
    await store.insert(newer);
    await store.insert(
      aWorkspace({
        owner: 'user:default/grace',
        namespace: 'grace-workspaces',
      }),
    );

    const all = await store.listByOwner('user:default/ada');
    expect(all.map(({ id }) => id)).toEqual([newer.id, older.id]);
    const running = await store.listByOwner('user:default/ada', {
      status: 'Running',
    });
    expect(running.map(({ id }) => id)).toEqual([older.id]);
    await expect(store.usage('user:default/ada')).resolves.toEqual({
      total: 2,
      running: 1,
    });
  });

  it('lets one of two concurrent transitions win', async () => {
    const { store } = await createStore();
    const workspace = aWorkspace({ status: 'Stopped' });
    await store.insert(workspace);
    const outcomes = await Promise.all([
      store.transition(workspace.id, ['Stopped'], { status: 'Starting' }),
      store.transition(workspace.id, ['Stopped'], { status: 'Starting' }),
    ]);

    expect(outcomes.sort()).toEqual([false, true]);
    await expect(store.get(workspace.id)).resolves.toMatchObject({
      status: 'Starting',
    });
  });

  it('sets a field to null and leaves the others', async () => {
    const { store } = await createStore();
    const workspace = aWorkspace({ statusMessage: 'because', failed: true });
    await store.insert(workspace);
    await store.update(workspace.id, { statusMessage: null });

    await expect(store.get(workspace.id)).resolves.toEqual({
      ...workspace,
      statusMessage: null,
    });
  });

  it('hides workspaces that are being deleted, and keeps their names reserved', async () => {
    const { store } = await createStore();
    const workspace = aWorkspace({ name: 'taken' });
    await store.insert(workspace);
    await store.markDeleting(workspace.id);

    await expect(store.get(workspace.id)).resolves.toBeUndefined();
    await expect(store.listByOwner(workspace.owner)).resolves.toEqual([]);
    await expect(store.listDeleting()).resolves.toEqual([workspace.id]);
    await expect(
      store.transition(workspace.id, ['Stopped'], { status: 'Starting' }),
    ).resolves.toBe(false);
    await expect(store.insert(aWorkspace({ name: 'taken' }))).rejects.toThrow(
      'already exists',
    );

    await store.remove(workspace.id);
    await store.insert(aWorkspace({ name: 'taken' }));
  });

  it('numbers log lines across appends and reads on from a line', async () => {
    const { store } = await createStore();
    const workspace = aWorkspace();
    await store.insert(workspace);
    const line = (text: string) => ({
      at: '2026-01-01T00:00:00.000Z',
      source: 'ide' as const,
      text,
    });
    const two = await store.log.append(
      workspace.id,
      [line('one'), line('two')],
      0,
    );
    await store.log.append(
      workspace.id,
      Array.from({ length: 250 }, (_, index) => line(`more ${index}`)),
      two,
    );
    expect(await store.log.last(workspace.id)).toBe(252);

    const first = await store.log.read(workspace.id, { after: 0, limit: 3 });
    expect(first.map(({ seq, text }) => [seq, text])).toEqual([
      [1, 'one'],
      [2, 'two'],
      [3, 'more 0'],
    ]);
    const rest = await store.log.read(workspace.id, { after: 3, limit: 1000 });
    expect(rest).toHaveLength(249);
  });

  it('keeps the latest lines of a log that grows on', async () => {
    const { store } = await createStore();
    const workspace = aWorkspace();
    await store.insert(workspace);
    for (let batch = 0; batch < 3; batch += 1) {
      await store.log.append(
        workspace.id,
        Array.from({ length: 4_000 }, () => ({
          at: '2026-01-01T00:00:00.000Z',
          source: 'command' as const,
          text: `batch ${batch}`,
        })),
        batch * 4_000,
      );
    }
    const lines = await store.log.read(workspace.id, {
      after: 0,
      limit: 20_000,
    });
    expect(lines).toHaveLength(10_000);
    expect(lines[0].seq).toBe(2_001);
    expect(lines.at(-1)?.seq).toBe(12_000);
  });

  it('removes log and grants together with the workspace', async () => {
    const { store, knex } = await createStore();
    const workspace = aWorkspace();
    await store.insert(workspace);
    await store.log.append(
      workspace.id,
      [{ at: '2026-01-01T00:00:00.000Z', source: 'ide', text: 'line' }],
      0,
    );
    await knex('ide_grants').insert({
      token_hash: 'hash',
      kind: 'ticket',
      workspace_id: workspace.id,
      owner: workspace.owner,
      expires_at: '2026-01-01T00:00:00.000Z',
    });
    await store.remove(workspace.id);

    for (const table of ['workspaces', 'workspace_logs', 'ide_grants']) {
      await expect(knex(table).select()).resolves.toEqual([]);
    }
  });

  it('adds an import without names that are in use, and all or nothing', async () => {
    const { store } = await createStore();
    const own = aWorkspace();
    await store.insert(own);
    const fromTool = { importedFrom: 'tool', keptUntil: null };
    const grace = {
      owner: 'user:default/grace',
      namespace: 'grace-workspaces',
    };
    const fresh = aWorkspace({ ...fromTool, ...grace });
    const taken = aWorkspace({ ...fromTool, name: own.name });
    await expect(store.insertFree([fresh, taken])).resolves.toEqual([fresh]);
    await expect(store.get(fresh.id)).resolves.toEqual(fresh);
    await expect(store.usage()).resolves.toEqual({ total: 1, running: 0 });

    const foreign = aWorkspace({ ...fromTool, namespace: grace.namespace });
    const other = aWorkspace(fromTool);
    await expect(store.insertFree([other, foreign])).rejects.toThrow(
      'belongs to another user',
    );
    await expect(store.get(other.id)).resolves.toBeUndefined();
  });

  it('takes a workspace that runs out of its import', async () => {
    const { store } = await createStore();
    const all = [
      aWorkspace({ importedFrom: 'tool' }),
      aWorkspace({ importedFrom: 'tool' }),
    ];
    await store.insertFree(all);
    await store.transition(all[0].id, ['Stopped'], { status: 'Starting' });
    await expect(store.usage()).resolves.toEqual({ total: 1, running: 1 });
    await store.transition(all[0].id, ['Starting'], { status: 'Running' });
    await store.transition(all[0].id, ['Running'], { status: 'Stopped' });

    await expect(store.usage()).resolves.toEqual({ total: 1, running: 0 });
    const left = await store.listImported('tool');
    expect(left.map(({ id }) => id)).toEqual([all[1].id]);
    const only = { importedFrom: 'tool' };
    expect(await store.markDeleting(all[0].id, only)).toBe(false);
    expect(await store.markDeleting(all[1].id, only)).toBe(true);
  });

  it('deletes an unused workspace only while it is stopped and unused', async () => {
    const { store } = await createStore();
    const workspace = aWorkspace({ status: 'Stopped' });
    const { id } = workspace;
    await store.insert(workspace);
    const conditions = { unusedSince: workspace.lastUsedAt };
    await store.transition(id, ['Stopped'], { status: 'Starting' });
    expect(await store.markDeleting(id, conditions)).toBe(false);

    const lastUsedAt = '2026-11-29T08:00:00.000Z';
    await store.transition(id, ['Starting'], { status: 'Stopped', lastUsedAt });
    expect(await store.markDeleting(id, conditions)).toBe(false);
    expect(await store.markDeleting(id, { unusedSince: lastUsedAt })).toBe(
      true,
    );
  });

  it('keeps the first yes to workspaces without isolation', async () => {
    const { store } = await createStore();
    await expect(store.isolationConsent()).resolves.toBeUndefined();
    const first = {
      givenBy: 'user:default/ada',
      givenAt: '2026-11-22T16:00:00.000Z',
    };
    await store.recordIsolationConsent(first);
    await store.recordIsolationConsent({
      ...first,
      givenBy: 'user:default/grace',
    });
    await expect(store.isolationConsent()).resolves.toEqual(first);
  });
});
