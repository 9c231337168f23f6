import { eventually } from './__testUtils__/eventually';
import { GRACE } from './__testUtils__/startPortal';
import { startWorkspacePortal } from './__testUtils__/workspacePortal';

describe('POST /workspaces', () => {
  it('responds 201 with the contract’s fields and starts the workspace', async () => {
    const { create, untilStatus } = await startWorkspacePortal();
    const { status, body } = await create();

    expect(status).toBe(201);
    expect(body).toEqual({
      workspaceId: expect.stringMatching(/^workspace-[0-9a-f-]{36}$/),
      name: expect.stringMatching(/^shop-[a-z0-9]{4}$/),
      namespace: 'ada-workspaces',
      status: 'Starting',
      ideUrl: `http://localhost:7010/w/${body.workspaceId}/`,
      devfile: { name: 'shop', version: '1.4.0' },
    });
    await untilStatus(body.workspaceId, 'Running');
  });

  it('begins with a starter project that the devfile offers', async () => {
    const { call, create, runtime } = await startWorkspacePortal();
    const devfileUrl = 'https://forge.example.org/starters.yaml';
    const preview = await call('post', '/devfile/preview').send({ devfileUrl });
    expect(preview.body.devfile.starterProjects).toEqual([
      { name: 'hello', description: 'Says hello' },
    ]);

    const { body } = await create({ devfileUrl, starterProject: 'hello' });
    await eventually(() =>
      expect(
        runtime.specs.get(body.workspaceId)?.devfile.projects,
      ).toMatchObject([{ name: 'hello', type: 'zip', subDir: 'app' }]),
    );
    const none = await create({ devfileUrl, starterProject: 'bye' });
    expect(none.status).toBe(400);
    expect(none.body).toEqual({
      error: "starterProject: the devfile has none named 'bye'; it has hello",
    });
  });

  it('checks out the project at a revision, and rejects invalid revisions', async () => {
    const { create, runtime } = await startWorkspacePortal();
    const devfileUrl = 'https://forge.example.org/git.yaml';
    const { body } = await create({ devfileUrl, revision: 'fix/slow-carts' });
    await eventually(() =>
      expect(
        runtime.specs.get(body.workspaceId)?.devfile.projects[0],
      ).toMatchObject({ type: 'git', revision: 'fix/slow-carts' }),
    );
    for (const revision of ['--upload-pack=x', 'a..b', 'a b', '', 'x@{1}', 7]) {
      const refused = await create({ devfileUrl, revision });
      expect(refused.status).toBe(400);
      expect(refused.body.error).toMatch(/^revision/);
    }
    const none = await create({ revision: 'main' });
    expect(none.status).toBe(400);
    expect(none.body).toEqual({
      error: 'revision: the devfile has no Git project',
    });
  });

  it('accepts name and namespace', async () => {
    const { create } = await startWorkspacePortal();
    const { body } = await create({ name: 'till', namespace: 'payments' });
    expect(body).toMatchObject({ name: 'till', namespace: 'payments' });
  });

  it.each([
    [{ devfileUrl: undefined }, /^devfileUrl is required$/],
    [{ devfileUrl: 7 }, /^devfileUrl: /],
    [{ devfileUrl: 'http://forge.example.org/d.yaml' }, /https/],
    [{ devfileUrl: 'https://forge.example.org/none.yaml' }, /404|not found/i],
    [
      { devfileUrl: 'https://forge.example.org/wrong.yaml' },
      /components\[0\]\.name/,
    ],
    [{ devfileUrl: 'https://forge.example.org/broken.yaml' }, /line/],
    [
      { devfileUrl: 'https://forge.example.org/climbing-name.yaml' },
      /^devfile is invalid: projects\[0\]\.name: must be lowercase letters/,
    ],
    [
      { devfileUrl: 'https://forge.example.org/climbing-folder.yaml' },
      /^devfile is invalid: projects\[0\]\.clonePath: must be a relative path that stays/,
    ],
    [
      { devfileUrl: 'https://forge.example.org/climbing-endpoint.yaml' },
      /^devfile is invalid: components\[0\]\.container\.endpoints\[0\]\.path: must be a path below its endpoint/,
    ],
    [{ name: '../../etc' }, /^name: must start with/],
    [{ name: 'a'.repeat(64) }, /^name: must start with/],
    [{ namespace: 'No_Label' }, /^namespace: must start with/],
  ])('answers 400 to %j, naming the fault', async (body, message) => {
    const { create } = await startWorkspacePortal();
    const answer = await create(body);

    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body)).toEqual(['error']);
    expect(answer.body.error).toMatch(message);
  });

  it('responds 400 to invalid JSON and 413 to large bodies', async () => {
    const { call } = await startWorkspacePortal();
    const post = (type: string, body: string) =>
      call('post', '/workspaces').set('Content-Type', type).send(body);

    expect((await post('application/json', '{"devfileUrl":')).body).toEqual({
      error: 'The request body is not valid JSON',
    });
    const form = await post('text/plain', 'devfileUrl=x');
    expect(form.status).toBe(400);
    expect(form.body.error).toContain('application/json');
    const large = await post(
      'application/json',
      JSON.stringify({ devfileUrl: 'x'.repeat(1024 * 1024) }),
    );
    expect(large.status).toBe(413);
    expect(large.body).toEqual({ error: 'The request body is too large' });
  });

  it('allows only one of two concurrent creations of a name', async () => {
    const { create } = await startWorkspacePortal();
    const answers = await Promise.all([
      create({ name: 'till', namespace: 'payments' }),
      create({ name: 'till', namespace: 'payments' }),
    ]);

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)!.body).toEqual({
      error: "A workspace named 'till' already exists in namespace 'payments'",
    });
  });

  it('responds 403 in a namespace that belongs to or is reserved for another user', async () => {
    const { call, create } = await startWorkspacePortal();
    const { body } = await create({ namespace: 'payments' });

    const taken = await create({ namespace: 'payments' }, GRACE);
    expect(taken.status).toBe(403);
    expect(taken.body).toEqual({
      error: "Namespace 'payments' belongs to another user; choose another one",
    });
    const kept = await create({ namespace: 'ada-workspaces' }, GRACE);
    expect(kept.status).toBe(403);
    expect(kept.body).toEqual({
      error:
        "Namespace 'ada-workspaces' is reserved for the user it is named after; yours is 'grace-workspaces'",
    });
    // Unauthorized callers learn nothing about the devfile.
    const invalid = await create(
      { namespace: 'payments', devfileUrl: 'http://forge.example.org/d.yaml' },
      GRACE,
    );
    expect(invalid.status).toBe(403);

    await call('delete', `/workspaces/${body.workspaceId}`);
    expect((await create({ namespace: 'payments' }, GRACE)).status).toBe(201);
  });

  it('responds 403 with the limit when it is reached, also for concurrent requests', async () => {
    const { create } = await startWorkspacePortal({
      limits: { total: 2, running: 5 },
    });
    const answers = await Promise.all([1, 2, 3, 4].map(() => create()));

    expect(answers.map(({ status }) => status).sort()).toEqual([
      201, 201, 403, 403,
    ]);
    expect(answers.find(({ status }) => status === 403)!.body.error).toBe(
      'You have 2 of at most 2 workspaces; delete one to create another',
    );
    expect((await create({}, GRACE)).status).toBe(201);
  });
});
