import { mockCredentials, mockServices } from '@backstage/backend-test-utils';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import { GRACE } from './__testUtils__/startPortal';
import {
  DEVFILE_URL,
  startWorkspacePortal,
} from './__testUtils__/workspacePortal';

const INLINE = 'schemaVersion: 2.2.2\nmetadata: {name: till}\n';

const item = (change: object = {}) => ({
  owner: 'user:default/grace',
  name: 'fix-carts',
  devfileUrl: DEVFILE_URL,
  createdAt: '2026-01-05T09:00:00Z',
  lastUsed: '2026-02-01T10:00:00+01:00',
  ...change,
});

type Portal = Awaited<ReturnType<typeof startWorkspacePortal>>;

async function startWithImports(
  options: Parameters<typeof startWorkspacePortal>[0] = {},
) {
  const portal = await startWorkspacePortal(options);
  const send = (workspaces: object[], source = 'gitpod') =>
    portal.call('post', '/imports').send({ source, workspaces });
  return { ...portal, send };
}

/** Starts grace's only workspace and waits until it runs. */
async function startOnly({ call }: Portal): Promise<string> {
  const { body } = await call('get', '/workspaces', GRACE);
  const [{ workspaceId }] = body.workspaces;
  const { status } = await call(
    'post',
    `/workspaces/${workspaceId}/start`,
    GRACE,
  );
  expect(status).toBe(200);
  await vi.waitFor(async () => {
    const { body: now } = await call(
      'get',
      `/workspaces/${workspaceId}`,
      GRACE,
    );
    expect(now.status).toBe('Running');
  });
  return workspaceId;
}

describe('POST /imports', () => {
  it('records stopped workspaces with their history for their owners, and starts nothing', async () => {
    const { call, runtime, send } = await startWithImports();
    const { status, body } = await send([
      item({ owner: 'user:default/Grace', note: 'From Gitpod' }),
      item({ owner: 'user:partners/kim', devfile: INLINE }),
    ]);
    expect(status).toBe(201);
    expect(body).toEqual({ imported: 2, skipped: [] });

    const { body: list } = await call('get', '/workspaces', GRACE);
    expect(list.workspaces).toEqual([
      expect.objectContaining({
        name: 'fix-carts',
        namespace: 'grace-workspaces',
        status: 'Stopped',
        failed: false,
        statusMessage: 'From Gitpod',
        devfile: { name: 'shop', version: '1.4.0' },
        createdAt: '2026-01-05T09:00:00.000Z',
        lastUsed: '2026-02-01T09:00:00.000Z',
        importedFrom: 'gitpod',
        deletesAt: null,
      }),
    ]);
    const kim = mockCredentials.user.header('user:partners/kim');
    const { body: hers } = await call('get', '/workspaces', kim);
    expect(hers.workspaces).toMatchObject([
      {
        devfile: { name: 'till' },
        namespace: expect.stringMatching(/^kim-[0-9a-f]{6}-workspaces$/),
      },
    ]);
    expect((await call('get', '/workspaces')).body.total).toBe(0);
    expect(runtime.specs.size).toBe(0);
  });

  it('can be repeated, and leaves out names that their owner uses', async () => {
    const { create, send } = await startWithImports();
    await create({ name: 'fix-carts' }, GRACE);
    const again = item({ name: 'other' });
    expect((await send([item(), again, again])).body).toEqual({
      imported: 1,
      skipped: [
        { owner: 'user:default/grace', name: 'fix-carts' },
        { owner: 'user:default/grace', name: 'other' },
      ],
    });
  });

  it('checks out the revision at the first start', async () => {
    const portal = await startWithImports();
    const devfileUrl = 'https://forge.example.org/git.yaml';
    await portal.send([item({ devfileUrl, revision: 'fix/slow-carts' })]);
    const id = await startOnly(portal);
    expect(portal.runtime.specs.get(id)?.devfile.projects[0]).toMatchObject({
      revision: 'fix/slow-carts',
    });
  });

  it.each([
    [{ owner: 'group:default/search' }, /^workspaces\[0\]\.owner: must be/],
    [{ name: 'Fix' }, /^workspaces\[0\]\.name: must start/],
    [{ devfileUrl: 'http://forge.example.org/d.yaml' }, /https/],
    [{ devfileUrl: 'https://forge.example.org/wrong.yaml' }, /components\[0\]/],
    [{ devfile: 'schemaVersion: 9' }, /^workspaces\[0\]: devfile is invalid/],
    [{ revision: 'main' }, /^workspaces\[0\]: revision: .* no Git project/],
    [{ note: 'a\u0000b' }, /note: must not contain control characters/],
    [{ createdAt: '5 January' }, /createdAt: must be a time in ISO 8601/],
    [
      { createdAt: '0000-01-01T00:00:00+01:00' },
      /createdAt: must be in the years/,
    ],
    [{ createdAt: '2026-02-02T00:00:00Z' }, /lastUsed must not be before/],
    [{ lastUsed: '2999-01-01T00:00:00Z' }, /must not be in the future/],
    [{ deletesAt: '2026-02-02T00:00:00Z' }, /deletesAt must be in the future/],
  ])('responds 400 to %j and imports nothing', async (change, message) => {
    const { call, send } = await startWithImports();
    const { status, body } = await send([
      item(change),
      item({ name: 'valid' }),
    ]);
    expect(status).toBe(400);
    expect(body.error).toMatch(message);
    expect((await call('get', '/workspaces', GRACE)).body.total).toBe(0);
  });

  it('is for admins', async () => {
    const { call, send, server } = await startWithImports({
      features: [
        mockServices.permissions.factory({ result: AuthorizeResult.DENY }),
      ],
    });
    expect((await send([])).status).toBe(403);
    expect((await call('delete', '/imports/gitpod')).status).toBe(403);
    const nobody = mockCredentials.none.header();
    expect((await call('post', '/imports', nobody)).status).toBe(401);
    expect((await call('get', '/imports')).status).toBe(405);
    expect(server.listening).toBe(true);
  });
});

describe('an imported workspace', () => {
  it('counts against the limit from its first start', async () => {
    const portal = await startWithImports({ limits: { total: 1, running: 5 } });
    const { call, create, send } = portal;
    const usage = async () => (await call('get', '/options', GRACE)).body.usage;
    await send([item()]);
    expect(await usage()).toEqual({ total: 0, running: 0 });

    const own = await create({}, GRACE);
    expect(own.status).toBe(201);
    const { body } = await call('get', '/workspaces', GRACE);
    const { workspaceId } = body.workspaces.find(
      ({ name }: { name: string }) => name === 'fix-carts',
    );
    const start = () => call('post', `/workspaces/${workspaceId}/start`, GRACE);
    expect((await start()).body.error).toContain('at most 1 workspaces');

    await call('delete', `/workspaces/${own.body.workspaceId}`, GRACE);
    await startOnly(portal);
    expect(await usage()).toEqual({ total: 1, running: 1 });
  });

  it('is deleted with its import, unless it has run', async () => {
    const portal = await startWithImports();
    const { call, create, runtime, send } = portal;
    await create({ name: 'own' }, GRACE);
    await send([item({ name: 'gone' })]);
    await send([item({ name: 'other' })], 'coder');
    expect((await call('delete', '/imports/gitpod')).body).toEqual({
      deleted: 1,
    });
    const names = async () =>
      (await call('get', '/workspaces', GRACE)).body.workspaces
        .map(({ name }: { name: string }) => name)
        .sort();
    expect(await names()).toEqual(['other', 'own']);
    expect(runtime.deleted).toHaveLength(1);
    expect((await call('delete', '/imports/gitpod')).body).toEqual({
      deleted: 0,
    });
  });

  it('belongs to its owner once it has run', async () => {
    const portal = await startWithImports();
    const { call, send } = portal;
    await send([
      item({ note: 'From Gitpod', deletesAt: '2999-01-01T00:00:00Z' }),
    ]);
    const { body } = await call('get', '/workspaces', GRACE);
    expect(body.workspaces[0].deletesAt).toBe('2999-01-01T00:00:00.000Z');
    const id = await startOnly(portal);
    await call('post', `/workspaces/${id}/stop`, GRACE);
    await vi.waitFor(async () => {
      const { body: now } = await call('get', `/workspaces/${id}`, GRACE);
      expect(now).toMatchObject({
        status: 'Stopped',
        importedFrom: null,
        statusMessage: null,
        deletesAt: null,
      });
    });
    expect((await call('delete', '/imports/gitpod')).body).toEqual({
      deleted: 0,
    });
  });

  it('stays in its import after a failed start', async () => {
    const { call, runtime, send } = await startWithImports();
    runtime.failWith = new Error('No editor');
    await send([item({ deletesAt: '2999-01-01T00:00:00Z' })]);
    const { body } = await call('get', '/workspaces', GRACE);
    const path = `/workspaces/${body.workspaces[0].workspaceId}`;
    await call('post', `${path}/start`, GRACE);
    await vi.waitFor(async () =>
      expect((await call('get', path, GRACE)).body).toMatchObject({
        failed: true,
        importedFrom: 'gitpod',
        deletesAt: null,
      }),
    );
    expect((await call('delete', '/imports/gitpod')).body.deleted).toBe(1);
  });

  it('is invisible to everyone but its owner, including who imported it', async () => {
    const { call, send } = await startWithImports();
    await send([item()]);
    const { body } = await call('get', '/workspaces', GRACE);
    const path = `/workspaces/${body.workspaces[0].workspaceId}`;
    expect((await call('get', path)).status).toBe(404);
    expect((await call('post', `${path}/start`)).status).toBe(404);
    expect((await call('delete', '/imports/Not-A-Label')).status).toBe(400);
  });
});
