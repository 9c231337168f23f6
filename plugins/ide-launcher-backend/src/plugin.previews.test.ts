import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { eventually } from './__testUtils__/eventually';
import {
  NODE_DEVFILE,
  RepositoryServer,
} from './__testUtils__/RepositoryServer';
import { ADA, GRACE } from './__testUtils__/startPortal';
import {
  DEVFILE_URL,
  startWorkspacePortal,
} from './__testUtils__/workspacePortal';

describe('POST /devfile/preview of a repository', () => {
  let forge: RepositoryServer;

  beforeEach(async () => {
    forge = await RepositoryServer.start();
  });

  afterEach(() => forge.stop());

  const start = (options: Parameters<typeof startWorkspacePortal>[0] = {}) =>
    startWorkspacePortal({ hosts: [forge.host], ...options });

  it('stops reading for a caller that is gone', async () => {
    const { call } = await start();
    const held = new Promise<IncomingMessage>(resolve => {
      forge.onHeld = resolve;
    });
    const preview = call('post', '/devfile/preview').send({
      devfileUrl: forge.url,
    });
    preview.end(() => {});
    const { socket } = await held;
    preview.abort();
    const ending = once(socket, 'close').then(() => 'closed');
    // Without an abort, reading would only end after ten seconds.
    expect(await Promise.race([ending, setTimeout(5_000, 'open')])).toBe(
      'closed',
    );
  });

  it('answers 429 to a caller with four of them in progress', async () => {
    const { call } = await start();
    const held: IncomingMessage[] = [];
    forge.onHeld = request => held.push(request);
    const preview = (devfileUrl: string, authorization = ADA) =>
      call('post', '/devfile/preview', authorization).send({ devfileUrl });
    const begin = (authorization?: string) => {
      const begun = preview(forge.url, authorization);
      begun.end(() => {});
      return begun;
    };
    const [first] = Array.from({ length: 4 }, () => begin());
    await eventually(() => expect(held).toHaveLength(4));

    const refused = await preview(forge.url);
    expect(refused.status).toBe(429);
    expect(refused.body).toEqual({
      error:
        'You have 4 of at most 4 previews in progress; wait for one of them',
    });
    expect(refused.headers['retry-after']).toBe('2');
    begin(GRACE);
    await eventually(() => expect(held).toHaveLength(5));

    first.abort();
    await eventually(async () =>
      expect((await preview(DEVFILE_URL)).status).toBe(200),
    );
  });

  it('previews a repository by the same field as a devfile', async () => {
    const { call } = await start();
    const preview = (body: object) =>
      call('post', '/devfile/preview').send(body);
    const without = await preview({ devfileUrl: forge.url });
    expect(without.body).toMatchObject({
      valid: true,
      repository: {
        name: 'shop',
        url: forge.url,
        revision: null,
        devfile: null,
      },
      devfile: { name: 'shop', projects: ['shop'] },
    });

    forge.files['/acme/shop/-/raw/main/devfile.yaml'] = NODE_DEVFILE;
    const chosen = await preview({ devfileUrl: forge.url, revision: 'main' });
    expect(chosen.body.repository).toEqual({
      name: 'shop',
      url: forge.url,
      revision: 'main',
      devfile: {
        file: 'devfile.yaml',
        url: `${forge.url}/-/raw/main/devfile.yaml`,
      },
    });
    const missing = await preview({ devfileUrl: `${forge.url}/-/tree/nope` });
    expect(missing.body).toEqual({
      valid: false,
      issues: [
        {
          path: '',
          message: `${forge.url} has no branch, tag or commit 'nope'`,
        },
      ],
      repository: null,
      devfile: null,
      warnings: [],
    });
    const file = await preview({
      devfileUrl: 'https://forge.example.org/shop/devfile.yaml',
    });
    expect(file.body).toMatchObject({ valid: true, repository: null });
  });
});
