import { mockApis, renderInTestApp } from '@backstage/frontend-test-utils';
import { permissionApiRef } from '@backstage/plugin-permission-react';
import { failAtOnce, InPages } from '@slipway/test-pages';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FakeIdeLauncherApi } from '../__testUtils__/FakeIdeLauncherApi';
import { MOUNTED_ROUTES } from '../__testUtils__/mountedRoutes';
import { renderPlugin } from '../__testUtils__/renderPlugin';
import { aWorkspace, someOptions } from '../__testUtils__/workspaces';
import { ideLauncherApiRef } from '../api/IdeLauncherApi';
import { servicePages } from '../queries';
import { CreateWorkspaceFromPalette } from './CreateWorkspaceDialog';

const DEVFILE = 'https://git.example.org/api-gateway/devfile.yaml';
const REPOSITORY = 'https://git.example.org/acme/shop/-/tree/next';

async function openDialog(api: FakeIdeLauncherApi, query = '') {
  return openDialogAt(api, `?create=1${query}`);
}

async function openDialogAt(api: FakeIdeLauncherApi, search: string) {
  const app = renderPlugin({ api, path: `/workspaces${search}` });
  await screen.findByRole('dialog', { name: 'Create workspace' });
  return {
    ...app,
    // The dialog opens before its form has loaded.
    url: await screen.findByRole('textbox', {
      name: 'Repository or devfile address',
    }),
    name: screen.getByRole('textbox', { name: 'Name' }),
    submit: screen.getByRole('button', { name: 'Create workspace' }),
  };
}

describe('CreateWorkspaceDialog', () => {
  it('reads the devfile while its address is typed, and creates the workspace', async () => {
    const api = new FakeIdeLauncherApi();
    api.previews[DEVFILE] = { warnings: ['The volume cache is not mounted'] };
    const { user, url, name, submit, address } = await openDialog(api);

    await user.type(url, DEVFILE);
    expect(await screen.findByText('api-gateway 1.2.0 is valid')).toBeVisible();
    expect(screen.getByText('The volume cache is not mounted')).toBeVisible();
    // One read for the whole address, not one per key.
    expect(api.previewed.map(({ devfileUrl }) => devfileUrl)).toEqual([
      DEVFILE,
    ]);

    await user.type(name, 'my-gateway');
    await user.click(submit);
    await waitFor(() => expect(address()).toBe('/workspaces/workspace-1'));
    expect(api.created).toEqual([{ devfileUrl: DEVFILE, name: 'my-gateway' }]);
  });

  it('takes an address for SSH without an error while it is typed', async () => {
    const { user, url, submit } = await openDialog(new FakeIdeLauncherApi());
    await user.type(url, 'git@git.example.org');
    expect(url).not.toHaveAccessibleDescription(/starts with https/);
    await user.click(submit);
    expect(url).toHaveAccessibleDescription(/starts with https/);
    await user.type(url, ':acme/shop.git');
    expect(url).toHaveValue('https://git.example.org/acme/shop.git');
    expect(url).toBeValid();
  });

  it('reads an address again that could not be read', async () => {
    const api = new FakeIdeLauncherApi();
    api.previews[DEVFILE] = {
      valid: false,
      issues: [{ path: '', message: 'cannot reach git.example.org' }],
    };
    const { user, url, submit } = await openDialog(api);
    await user.type(url, DEVFILE);
    await screen.findByText('cannot reach git.example.org');
    expect(submit).toBeDisabled();
    delete api.previews[DEVFILE];
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('api-gateway 1.2.0 is valid')).toBeVisible();
    expect(submit).toBeEnabled();
  });

  it('opens with the repository in the address, and creates its workspace', async () => {
    const api = new FakeIdeLauncherApi([
      aWorkspace({
        workspaceId: 'workspace-9',
        name: 'shop-x1y2',
        repositoryUrl: `${REPOSITORY}/`,
      }),
      aWorkspace({ workspaceId: 'workspace-8', name: 'other-x1y2' }),
    ]);
    const repository = {
      name: 'shop',
      url: 'https://git.example.org/acme/shop',
      revision: 'next',
      devfile: { file: '.devfile.yaml', url: 'https://git.example.org/d' },
    };
    api.previews[REPOSITORY] = { repository };
    const { user, url, submit, address } = await openDialogAt(
      api,
      `?repository=${REPOSITORY}&status=Running`,
    );
    expect(url).toHaveValue(REPOSITORY);
    expect(
      await screen.findByText(
        'You already have a workspace from this repository',
      ),
    ).toBeVisible();
    expect(
      within(screen.getByRole('dialog')).getByRole('link', {
        name: 'shop-x1y2',
      }),
    ).toHaveAttribute('href', '/workspaces/workspace-9');
    expect(
      screen
        .getAllByRole('status')
        .some(({ textContent }) =>
          /already have a workspace.*: shop-x1y2$/.test(textContent),
        ),
    ).toBe(true);
    expect(await screen.findByText('Repository shop at next')).toBeVisible();
    expect(
      screen.getByText('Uses .devfile.yaml of the repository.'),
    ).toBeVisible();

    api.previews[REPOSITORY] = {
      repository: { ...repository, revision: 'fix', devfile: null },
    };
    await user.type(
      screen.getByRole('textbox', { name: 'Branch, tag or commit' }),
      'fix',
    );
    expect(await screen.findByText('Repository shop at fix')).toBeVisible();
    expect(
      screen.getByText('The repository has no devfile: uses the default.'),
    ).toBeVisible();
    expect(api.previewed.at(-1)).toMatchObject({ revision: 'fix' });

    await user.click(submit);
    await waitFor(() => expect(address()).toBe('/workspaces/workspace-3'));
    expect(api.created).toEqual([
      { repositoryUrl: REPOSITORY, revision: 'fix' },
    ]);
  });

  it('finds out what is at the address before it creates a workspace', async () => {
    const api = new FakeIdeLauncherApi();
    const message = 'https://git.example.org/acme/shop has no branch next';
    api.previews[REPOSITORY] = {
      valid: false,
      devfile: null,
      issues: [{ path: '', message }],
    };
    const { user, url, submit } = await openDialog(api);
    await user.click(url);
    await user.paste(REPOSITORY);
    await user.click(submit);
    await waitFor(() => expect(url).toHaveAccessibleDescription(/no branch/));
    expect(api.created).toEqual([]);
  });

  it('creates nothing if it is closed before the address is read', async () => {
    const api = new FakeIdeLauncherApi();
    let answer = () => {};
    api.previewsAfter = new Promise(resolve => {
      answer = resolve;
    });
    const { user, url, submit, address } = await openDialog(api);
    await user.click(url);
    await user.paste(REPOSITORY);
    await user.click(submit);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(address()).toBe('/workspaces'));
    answer();
    await waitFor(() =>
      expect(api.previewed.every(({ signal }) => signal?.aborted)).toBe(true),
    );
    expect(api.previewed).not.toEqual([]);
    await new Promise(settled => setTimeout(settled));
    expect(api.created).toEqual([]);
  });

  it('shows an error in the devfile at its address, even if it begins like a field', async () => {
    const api = new FakeIdeLauncherApi();
    api.previews[DEVFILE] = {
      valid: false,
      devfile: null,
      issues: [{ path: 'name', message: 'is not allowed' }],
    };
    const { user, url, name, submit } = await openDialog(api);
    await user.click(url);
    await user.paste(DEVFILE);
    await user.click(submit);
    await waitFor(() =>
      expect(url).toHaveAccessibleDescription(/name: is not allowed/),
    );
    expect(name).not.toHaveAccessibleDescription(/is not allowed/);
  });

  it('closes when one of its links is followed, on whatever page it was opened', async () => {
    const api = new FakeIdeLauncherApi([
      aWorkspace({ name: 'shop-x1y2', repositoryUrl: REPOSITORY }),
    ]);
    const user = userEvent.setup();
    let closed = 0;
    renderInTestApp(
      <InPages pages={servicePages}>
        <CreateWorkspaceFromPalette
          input={`repository=${REPOSITORY}`}
          onClose={() => {
            closed += 1;
          }}
        />
      </InPages>,
      {
        mountedRoutes: MOUNTED_ROUTES,
        apis: [
          [ideLauncherApiRef, api],
          failAtOnce,
          [permissionApiRef, mockApis.permission()],
        ],
      },
    );
    const link = await screen.findByRole('link', { name: 'shop-x1y2' });
    expect(closed).toBe(0);
    await user.click(link);
    await waitFor(() => expect(closed).toBeGreaterThan(0));
  });

  it('offers the starter projects of the devfile, and forgets the choice with it', async () => {
    const api = new FakeIdeLauncherApi();
    const { devfile } = await api.previewDevfile(DEVFILE);
    const starters = [
      { name: 'hello', description: 'Says hello' },
      { name: 'bare', description: null },
    ];
    api.previews[DEVFILE] = {
      devfile: { ...devfile!, starterProjects: starters },
    };
    const { user, url, submit } = await openDialog(api);
    await user.type(url, DEVFILE);
    const choose = async (name: string) => {
      await user.click(
        await screen.findByRole('button', { name: /Starter project/ }),
      );
      await user.click(await screen.findByRole('option', { name }));
    };
    await choose('hello: Says hello');
    await user.type(url, '?v=2');
    await waitFor(() =>
      expect(
        screen.queryByRole('button', { name: /Starter project/ }),
      ).not.toBeInTheDocument(),
    );
    await user.clear(url);
    await user.type(url, DEVFILE);
    expect(
      await screen.findByRole('button', { name: /Starter project/ }),
    ).toHaveTextContent('None');

    await choose('bare');
    await user.click(submit);
    await waitFor(() => expect(api.created).toHaveLength(1));
    expect(api.created[0]).toEqual({
      devfileUrl: DEVFILE,
      starterProject: 'bare',
    });
  });

  it('lists the errors of a devfile with their paths, and does not send it', async () => {
    const api = new FakeIdeLauncherApi();
    api.previews[DEVFILE] = {
      valid: false,
      devfile: null,
      issues: [
        { path: 'components[0].name', message: 'is required' },
        { path: '', message: 'schemaVersion must be 2.0.0 to 2.3.0' },
      ],
    };
    const { submit } = await openDialog(
      api,
      `&devfileUrl=${encodeURIComponent(DEVFILE)}`,
    );

    expect(await screen.findByText('The devfile has 2 errors')).toBeVisible();
    const items = screen.getAllByRole('listitem').map(li => li.textContent);
    expect(items).toContain('components[0].name: is required');
    expect(items).toContain('schemaVersion must be 2.0.0 to 2.3.0');
    expect(submit).toBeDisabled();
  });

  it('validates fields while typing and focuses the first error', async () => {
    const api = new FakeIdeLauncherApi();
    const { user, url, name, submit } = await openDialog(api);

    await user.type(name, 'My_Name');
    expect(name).toHaveAccessibleDescription(/Start with a lowercase letter/);
    await user.click(submit);
    await waitFor(() => expect(url).toHaveFocus());
    expect(url).toHaveAccessibleDescription(/Enter the address of a devfile/);

    await user.type(url, 'http://git.example.org/devfile.yaml');
    expect(url).toHaveAccessibleDescription(/starts with https/);
    expect(api.previewed).toEqual([]);
    expect(api.created).toEqual([]);
  });

  it('shows errors of the backend at their fields', async () => {
    const api = new FakeIdeLauncherApi();
    const { user, url, name, submit } = await openDialog(api);
    await user.type(url, DEVFILE);
    await user.type(name, 'taken');

    await api.refuseNext('createWorkspace', {
      status: 409,
      error: 'taken exists in ada-workspaces',
    });
    await user.click(submit);
    await waitFor(() =>
      expect(name).toHaveAccessibleDescription(
        /taken exists in ada-workspaces/,
      ),
    );
    await waitFor(() => expect(name).toHaveFocus());

    await user.type(name, '-2');
    expect(name).not.toHaveAccessibleDescription(/taken exists/);

    await api.refuseNext('createWorkspace', {
      status: 400,
      error: 'The host git.example.org is not allowed',
    });
    await user.click(submit);
    await waitFor(() => expect(url).toHaveFocus());
    expect(url).toHaveAccessibleDescription(/is not allowed/);
  });

  it('names the limit that is reached', async () => {
    const api = new FakeIdeLauncherApi();
    api.options = someOptions({ usage: { total: 10, running: 0 } });
    const { submit } = await openDialog(api);

    expect(
      await screen.findByText(/All 10 workspaces are in use/),
    ).toBeVisible();
    expect(submit).toBeDisabled();
  });

  it.each([
    [{ idleTimeoutMinutes: 480 }, /after 8 h without use\./],
    [
      { limits: { total: 10, running: 1 } },
      'The limit is 1 running workspace. Stop yours to create another.',
    ],
    [
      { limits: { total: 1, running: 1 } },
      'The limit is 1 workspace. Delete yours to create another.',
    ],
  ])('names limits and times of any size: %o', async (options, text) => {
    const api = new FakeIdeLauncherApi();
    api.options = someOptions(options);
    await openDialog(api);
    expect(await screen.findByText(text)).toBeVisible();
  });

  it('offers the samples again when the chosen one cannot be read', async () => {
    const api = new FakeIdeLauncherApi();
    const sample = 'https://git.example.org/samples/node/devfile.yaml';
    api.previews[sample] = {
      valid: false,
      issues: [{ path: '', message: 'cannot reach git.example.org' }],
    };
    const { user, url } = await openDialog(api);
    await user.click(
      await screen.findByRole('button', { name: 'Node.js service' }),
    );
    await screen.findByText('cannot reach git.example.org');
    const samples = { name: 'Samples' };
    expect(screen.getByRole('region', samples)).toBeVisible();
    await user.type(url, '.other');
    expect(screen.queryByRole('region', samples)).toBeNull();
  });

  it('begins with a sample, and closes with Escape', async () => {
    const api = new FakeIdeLauncherApi();
    const { user, url, address } = await openDialog(api);

    await user.click(
      await screen.findByRole('button', { name: 'Node.js service' }),
    );
    expect(url).toHaveValue(
      'https://git.example.org/samples/node/devfile.yaml',
    );
    await waitFor(() => expect(url).toHaveFocus());

    await user.keyboard('{Escape}');
    await waitFor(() => expect(address()).toBe('/workspaces'));
  });
});
