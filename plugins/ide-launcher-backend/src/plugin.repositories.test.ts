import { eventually } from './__testUtils__/eventually';
import {
  NODE_DEVFILE,
  RepositoryServer,
} from './__testUtils__/RepositoryServer';
import { startWorkspacePortal } from './__testUtils__/workspacePortal';

describe('POST /workspaces with a repository', () => {
  let forge: RepositoryServer;

  beforeEach(async () => {
    forge = await RepositoryServer.start();
  });

  afterEach(() => forge.stop());

  const start = (options: { defaultUrl?: string } = {}) =>
    startWorkspacePortal({ hosts: [forge.host], ...options });

  it('uses its devfile, and clones it at the branch in the address', async () => {
    forge.files['/acme/shop/-/raw/main/devfile.yaml'] = NODE_DEVFILE;
    const { call, runtime, untilStatus } = await start();
    const repositoryUrl = `${forge.url}/-/tree/main`;
    const created = await call('post', '/workspaces').send({ repositoryUrl });

    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      workspaceId: expect.stringMatching(/^workspace-/),
      name: expect.stringMatching(/^shop-[a-z0-9]{4}$/),
      namespace: 'ada-workspaces',
      status: 'Starting',
      ideUrl: expect.any(String),
      devfile: { name: 'shop', version: '1.0.0' },
    });
    const { workspaceId } = created.body;
    const running = await untilStatus(workspaceId, 'Running');
    expect(running).toMatchObject({
      repositoryUrl,
      devfileUrl: `${forge.url}/-/raw/main/devfile.yaml`,
    });
    expect(runtime.specs.get(workspaceId)?.devfile).toMatchObject({
      components: [{ name: 'tools' }],
      projects: [
        {
          name: 'shop',
          remote: { name: 'origin', url: `${forge.url}.git` },
          revision: 'main',
        },
      ],
    });
  });

  it('uses the built-in devfile, or a configured one, for a repository without one', async () => {
    const repositoryUrl = `${forge.url}.git`;
    const builtIn = await start();
    const { body: bare } = await builtIn
      .call('post', '/workspaces')
      .send({ repositoryUrl });
    expect(bare.devfile).toEqual({ name: 'shop', version: null });
    const { body: details } = await builtIn.call(
      'get',
      `/workspaces/${bare.workspaceId}`,
    );
    expect(details).toMatchObject({
      devfileUrl: repositoryUrl,
      repositoryUrl,
    });

    const defaultUrl = 'https://forge.example.org/starters.yaml';
    const { call, runtime } = await start({ defaultUrl });
    const { body } = await call('post', '/workspaces').send({
      repositoryUrl,
      revision: 'feature/cart',
    });
    expect(body.name).toMatch(/^shop-/);
    await eventually(() =>
      expect(runtime.specs.get(body.workspaceId)?.devfile).toMatchObject({
        components: [{ name: 'tools' }],
        projects: [{ name: 'shop', revision: 'feature/cart' }],
        starterProjects: [],
      }),
    );
  });

  it('finds a devfile that the repository got later, for the next start', async () => {
    const { call, untilStatus } = await start();
    const { body: created } = await call('post', '/workspaces').send({
      repositoryUrl: forge.url,
      revision: 'main',
    });
    const path = `/workspaces/${created.workspaceId}`;
    await untilStatus(created.workspaceId, 'Running');
    await call('post', `${path}/stop`);
    await untilStatus(created.workspaceId, 'Stopped');

    forge.files['/acme/shop/-/raw/main/.devfile.yaml'] = NODE_DEVFILE;
    const { status, body } = await call('post', `${path}/devfile`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      devfile: { name: 'shop', version: '1.0.0' },
      devfileUrl: `${forge.url}/-/raw/main/.devfile.yaml`,
      warnings: ['Volumes are not kept apart'],
    });

    forge.branches = ['trunk'];
    const gone = await call('post', `${path}/devfile`);
    expect(gone.status).toBe(400);
    expect(gone.body.error).toBe(
      `revision: ${forge.url} has no branch, tag or commit 'main'`,
    );
  });

  it('answers 400 naming what is wrong', async () => {
    const { call } = await start();
    const refuse = async (body: object) => {
      const answer = await call('post', '/workspaces').send(body);
      expect(answer.status).toBe(400);
      return answer.body.error;
    };
    const { url } = forge;
    expect(await refuse({ repositoryUrl: `${url}/-/tree/nope` })).toBe(
      `${url} has no branch, tag or commit 'nope'`,
    );
    expect(await refuse({ repositoryUrl: url, revision: 'nope' })).toBe(
      `revision: ${url} has no branch, tag or commit 'nope'`,
    );
    expect(
      await refuse({ repositoryUrl: `https://${forge.host}/acme/none.git` }),
    ).toMatch(/acme\/none: it does not exist, or it is private/);
    for (const path of ['a/b.git', 'a/b']) {
      const repositoryUrl = `https://elsewhere.example.org/${path}`;
      expect(await refuse({ repositoryUrl })).toMatch(
        /host elsewhere\.example\.org is not allowed/,
      );
    }
    expect(await refuse({ repositoryUrl: 'git@github.com:acme/shop' })).toBe(
      'repositoryUrl must be an https URL',
    );
    expect(await refuse({ repositoryUrl: `https://${forge.host}/` })).toMatch(
      /^repositoryUrl must be the address of a Git repository/,
    );
    expect(
      await refuse({ repositoryUrl: url, devfileUrl: `${url}/devfile.yaml` }),
    ).toBe('devfileUrl: cannot be combined with repositoryUrl');
    expect(await refuse({ repositoryUrl: 7 })).toMatch(/^repositoryUrl: /);
    forge.files['/acme/shop/-/raw/main/devfile.yaml'] = 'schemaVersion: 9.9.9';
    expect(await refuse({ repositoryUrl: url })).toMatch(
      /^devfile is invalid: schemaVersion/,
    );
  });

  it('says that the configured default devfile cannot be read', async () => {
    const defaultUrl = 'https://forge.example.org/none.yaml';
    const { call } = await start({ defaultUrl });
    const repositoryUrl = forge.url;
    const { body } = await call('post', '/workspaces').send({ repositoryUrl });
    expect(body.error).toBe(
      `the repository has no devfile, and the default devfile cannot be used: ${defaultUrl} answered 404`,
    );
  });

  it('says that the configured default devfile is invalid', async () => {
    const defaultUrl = 'https://forge.example.org/wrong.yaml';
    const { call } = await start({ defaultUrl });
    const repositoryUrl = forge.url;
    const { body } = await call('post', '/workspaces').send({ repositoryUrl });
    expect(body.error).toMatch(
      /^the repository has no devfile, and the default devfile cannot be used: components\[0\]\.name/,
    );
  });

  it('warns if the repository is not a project of its devfile', async () => {
    const { call } = await start();
    const warningsWith = async (remote: string) => {
      forge.files['/acme/shop/-/raw/main/devfile.yaml'] = `${NODE_DEVFILE}
projects:
  - name: web
    git: { remotes: { origin: ${remote} } }
`;
      const { body } = await call('post', '/devfile/preview').send({
        devfileUrl: forge.url,
      });
      return body.warnings;
    };
    const missing = `${forge.url} is not a project of its devfile: it is not cloned`;
    expect(
      await warningsWith(`https://${forge.host}/acme/other.git`),
    ).toContain(missing);
    expect(await warningsWith(forge.url)).not.toContain(missing);
  });
});
