import { GRACE } from './__testUtils__/startPortal';
import { startWorkspacePortal } from './__testUtils__/workspacePortal';

describe('GET /workspaces', () => {
  it("lists the caller's own with the contract's fields", async () => {
    const { call, create, untilStatus } = await startWorkspacePortal();
    const { body: created } = await create();
    await create({}, GRACE);
    await untilStatus(created.workspaceId, 'Running');

    const { status, body } = await call('get', '/workspaces');
    expect(status).toBe(200);
    expect(body.total).toBe(1);
    expect(body.workspaces).toEqual([
      expect.objectContaining({
        workspaceId: created.workspaceId,
        name: created.name,
        status: 'Running',
        ideUrl: created.ideUrl,
        devfile: { name: 'shop', version: '1.4.0' },
        createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        lastUsed: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      }),
    ]);
  });

  it('filters by status and responds 400 to other values', async () => {
    const { call, create, untilStatus } = await startWorkspacePortal();
    const { body: created } = await create();
    await untilStatus(created.workspaceId, 'Running');

    const running = await call('get', '/workspaces?status=Running');
    expect(running.body.total).toBe(1);
    const stopped = await call('get', '/workspaces?status=Stopped');
    expect(stopped.body).toEqual({ workspaces: [], total: 0 });
    const wrong = await call('get', '/workspaces?status=running');
    expect(wrong.status).toBe(400);
    expect(wrong.body).toEqual({
      error: 'status: must be one of Starting, Running, Stopping, Stopped',
    });
  });
});

describe('one workspace', () => {
  it('is stopped, started, extended and deleted', async () => {
    const { call, create, runtime, untilStatus } = await startWorkspacePortal();
    const { body: created } = await create();
    const path = `/workspaces/${created.workspaceId}`;
    const running = await untilStatus(created.workspaceId, 'Running');
    expect(running).toMatchObject({
      runtime: 'fake',
      editor: { id: 'fake', title: 'Fake editor', version: '1.0.0' },
      warnings: ['Volumes are not kept apart'],
      endpoints: [
        {
          name: 'web',
          targetPort: 8080,
          listening: false,
          url: `http://localhost:7010/w/${created.workspaceId}--8080/`,
        },
      ],
    });

    const extended = await call('post', `${path}/extend`);
    expect(Date.parse(extended.body.stopsAt)).toBeGreaterThan(
      Date.parse(running.stopsAt) + 59 * 60_000,
    );
    const stopped = await call('post', `${path}/stop`);
    expect(stopped.status).toBe(200);
    await untilStatus(created.workspaceId, 'Stopped');
    expect((await call('post', `${path}/extend`)).status).toBe(409);
    expect((await call('post', `${path}/ticket`)).status).toBe(409);
    expect((await call('post', `${path}/start`)).status).toBe(200);
    await untilStatus(created.workspaceId, 'Running');
    await call('post', `${path}/stop`);
    expect((await call('post', `${path}/start`)).status).toBe(200);
    await untilStatus(created.workspaceId, 'Running');

    const log = await call('get', `${path}/logs`);
    expect(log.body.lines.map((line: { text: string }) => line.text)).toEqual([
      `${created.name} is up`,
      `${created.name} is up`,
      `${created.name} is up`,
    ]);
    const rest = await call('get', `${path}/logs?after=${log.body.next}`);
    expect(rest.body).toEqual({ lines: [], next: log.body.next });

    const deleted = await call('delete', path);
    expect(deleted.status).toBe(204);
    expect(deleted.text).toBe('');
    expect((await call('get', path)).status).toBe(404);
    expect(runtime.existing.size).toBe(0);
  });

  it('reads its devfile again for the next start, while it is stopped', async () => {
    const { call, create, files, runtime, untilStatus } =
      await startWorkspacePortal();
    const devfileUrl = 'https://forge.example.org/git.yaml';
    const { body: created } = await create({ devfileUrl, revision: 'fix' });
    const path = `/workspaces/${created.workspaceId}`;
    await untilStatus(created.workspaceId, 'Running');
    const update = () => call('post', `${path}/devfile`);
    expect((await update()).status).toBe(409);
    await call('post', `${path}/stop`);
    await untilStatus(created.workspaceId, 'Stopped');

    const before = files[devfileUrl];
    files[devfileUrl] = before
      .replace('1.4.0', '1.5.0')
      .replace('8080', '9090');
    const { status, body } = await update();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: created.name,
      status: 'Stopped',
      devfile: { name: 'shop', version: '1.5.0' },
      endpoints: [{ targetPort: 9090 }],
    });
    files[devfileUrl] = 'schemaVersion: 2.2.2\ncomponents: nothing\n';
    expect((await update()).status).toBe(400);

    await call('post', `${path}/start`);
    const running = await untilStatus(created.workspaceId, 'Running');
    expect(running).toMatchObject({ revision: 'fix', starterProject: null });
    expect(running.devfile).toEqual({ name: 'shop', version: '1.5.0' });
    expect(
      runtime.specs.get(created.workspaceId)?.devfile.projects,
    ).toMatchObject([{ name: 'shop', revision: 'fix' }]);
  });

  it('is not found by other users', async () => {
    const { call, create } = await startWorkspacePortal();
    const { body } = await create();
    const path = `/workspaces/${body.workspaceId}`;
    const missing = { error: `Workspace '${body.workspaceId}' not found` };

    for (const [method, suffix] of [
      ['get', ''],
      ['delete', ''],
      ['post', '/start'],
      ['post', '/stop'],
      ['post', '/extend'],
      ['post', '/devfile'],
      ['get', '/logs'],
      ['post', '/ticket'],
    ] as const) {
      const answer = await call(method, path + suffix, GRACE);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual(missing);
    }
    expect((await call('get', path)).status).toBe(200);
  });

  it('responds 404 to ids, and 400 to log positions, that a database may reject', async () => {
    const { call, create } = await startWorkspacePortal();
    for (const id of ['%00', 'workspace-%00', `workspace-${'a'.repeat(999)}`]) {
      expect((await call('get', `/workspaces/${id}`)).status).toBe(404);
    }
    const { body } = await create();
    const log = await call(
      'get',
      `/workspaces/${body.workspaceId}/logs?after=2147483648`,
    );
    expect(log.status).toBe(400);
    expect(log.body.error).toMatch(/^after: /);
  });

  it('returns a one-time address of the IDE', async () => {
    const { call, create, untilStatus } = await startWorkspacePortal();
    const { body } = await create();
    await untilStatus(body.workspaceId, 'Running');
    const { status, body: ticket } = await call(
      'post',
      `/workspaces/${body.workspaceId}/ticket`,
    );

    expect(status).toBe(200);
    expect(ticket.url).toMatch(
      new RegExp(`^${body.ideUrl}\\?ticket=[\\w-]{43}$`),
    );
    expect(Date.parse(ticket.expiresAt)).toBeGreaterThan(Date.now());
  });
});
