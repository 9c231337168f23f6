import { screen, waitFor, within } from '@testing-library/react';
import {
  createFakeFlagsApi,
  type FakeFlagsApi,
} from '../__testUtils__/FakeFlagsApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

const render = (api: FakeFlagsApi) =>
  renderPlugin({ api, path: '/flags/projects' });

/** Creates a file that can be read, unlike those of jsdom. */
const exportFile = (content: string) =>
  Object.assign(
    new File([content], 'export.json', { type: 'application/json' }),
    { text: async () => content },
  );

/** Chooses a file to import, and returns the dialog that shows its changes. */
async function chooseFile(
  user: ReturnType<typeof render>['user'],
  content: string,
) {
  await user.upload(
    await screen.findByLabelText('File to import'),
    exportFile(content),
  );
  return within(await screen.findByRole('dialog'));
}

describe('ProjectsPage', () => {
  it('lets an admin choose an owner from the catalog', async () => {
    const api = createFakeFlagsApi();
    const { user } = render(api);
    const row = await screen.findByRole('row', { name: 'Default' });
    expect(row).toHaveTextContent('shop');
    await user.click(
      within(row).getByRole('button', { name: 'Edit project Default' }),
    );
    const owner = await screen.findByRole('combobox', { name: 'Owner' });
    await user.clear(owner);
    await user.type(owner, 'pay');
    await user.click(
      await screen.findByRole('option', { name: 'group:default/payments' }),
    );
    await user.click(screen.getByRole('button', { name: 'Save project' }));
    await waitFor(() =>
      expect(api.projects).toEqual([
        { id: 'default', name: 'Default', owner: 'group:default/payments' },
      ]),
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('creates projects, and says what an ID may be', async () => {
    const api = createFakeFlagsApi();
    const { user } = render(api);
    await user.click(
      await screen.findByRole('button', { name: 'Create project' }),
    );
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByRole('textbox', { name: 'ID' }), 'a b');
    await user.click(dialog.getByRole('button', { name: 'Create project' }));
    expect(dialog.getByText(/letters, digits/)).toBeVisible();
    await user.clear(dialog.getByRole('textbox', { name: 'ID' }));
    await user.type(dialog.getByRole('textbox', { name: 'ID' }), 'search');
    await user.click(dialog.getByRole('button', { name: 'Create project' }));
    expect(
      await screen.findByRole('row', { name: 'search' }),
    ).toHaveTextContent('Admins only');
  });

  it('creates, changes and deletes types of tags', async () => {
    const api = createFakeFlagsApi();
    const { user } = render(api);
    await user.click(
      await screen.findByRole('button', { name: 'Create tag type' }),
    );
    const creation = within(await screen.findByRole('dialog'));
    const fill = async (label: string, text: string) => {
      const field = creation.getByRole('textbox', { name: label });
      await user.clear(field);
      await user.type(field, text);
    };
    await fill('Name', 'cost centre');
    await fill('Colour', 'red');
    await user.click(creation.getByRole('button', { name: 'Save tag type' }));
    expect(creation.getByText(/^Enter a name without spaces/)).toBeVisible();
    expect(creation.getByText(/^Enter a colour such as/)).toBeVisible();
    await fill('Name', 'cost-centre');
    await fill('Colour', '#aa3300');
    await user.click(creation.getByRole('button', { name: 'Save tag type' }));
    const created = {
      name: 'cost-centre',
      description: '',
      icon: '',
      color: '#aa3300',
    };
    await waitFor(() => expect(api.tagTypes).toContainEqual(created));

    await user.click(
      await screen.findByRole('button', { name: 'Edit tag type cost-centre' }),
    );
    const change = within(await screen.findByRole('dialog'));
    await user.type(
      change.getByRole('textbox', { name: 'Description' }),
      'Who pays',
    );
    await user.click(change.getByRole('button', { name: 'Save tag type' }));
    await waitFor(() =>
      expect(
        screen.getByRole('row', { name: 'cost-centre' }),
      ).toHaveTextContent('Who pays'),
    );

    await user.click(
      screen.getByRole('button', { name: 'Delete tag type cost-centre' }),
    );
    await user.click(
      within(await screen.findByRole('dialog')).getByRole('button', {
        name: 'Delete tag type',
      }),
    );
    await waitFor(() => expect(api.tagTypes).toHaveLength(2));
  });

  it('shows what an import would do, and imports then', async () => {
    const api = createFakeFlagsApi();
    api.importReport = {
      ...api.importReport,
      warnings: [{ message: 'Left out', affectedItems: ['old'] }],
      changes: {
        ...api.importReport.changes,
        created: ['a', 'b'],
        updated: [
          {
            name: 'checkout',
            fields: [
              {
                field: 'environments.production.strategies',
                from: [],
                to: [{ name: 'default', parameters: {}, segments: ['eu'] }],
              },
            ],
          },
        ],
      },
    };
    const { user } = render(api);
    const input = await screen.findByLabelText('File to import');
    await user.upload(input, exportFile('[]'));
    expect(
      await screen.findByText('The file is not a JSON export.'),
    ).toBeVisible();
    await user.upload(input, exportFile('{"features":[]}'));
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByText('2 flags created')).toHaveTextContent(
      '2 flags created: a, b',
    );
    expect(
      dialog.getByText(
        'environments.production.strategies: – → default · segment eu.',
      ),
    ).toBeVisible();
    expect(dialog.getByText('Left out: old')).toBeVisible();
    expect(api.imported).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Import flags' }));
    expect(await screen.findByText('Flags imported')).toBeVisible();
    expect(api.imported).toEqual([{ features: [] }]);
  });

  it('imports into the chosen project and environment', async () => {
    const api = createFakeFlagsApi();
    const { user } = render(api);
    const dialog = await chooseFile(user, '{"features":[]}');
    const choose = async (label: string, option: string) => {
      await user.click(
        await dialog.findByRole('button', {
          name: new RegExp(`As in the file ${label}`),
        }),
      );
      await user.click(await screen.findByRole('option', { name: option }));
    };
    await choose('Project', 'Default');
    await choose('Environment', 'production');
    const place = { project: 'default', environment: 'production' };
    await waitFor(() => expect(api.importPlace).toEqual(place));
    expect(api.imported).toEqual([]);
    const { importFlags } = api;
    let finish = () => {};
    const held = new Promise<void>(resolve => {
      finish = resolve;
    });
    api.importFlags = async (...call) => {
      await held;
      return importFlags(...call);
    };
    await user.click(dialog.getByRole('button', { name: 'Import flags' }));
    await waitFor(() =>
      expect(dialog.getByRole('button', { name: /Project/ })).toBeDisabled(),
    );
    finish();
    expect(await screen.findByText('Flags imported')).toBeVisible();
    expect(api.importPlace).toEqual(place);
  });

  it('shows the changes again if others have changed flags since', async () => {
    const api = createFakeFlagsApi();
    const { user } = render(api);
    const dialog = await chooseFile(user, '{"features":[]}');
    const confirm = await dialog.findByRole('button', { name: 'Import flags' });
    await waitFor(() => expect(confirm).toBeEnabled());
    api.importReport = {
      ...api.importReport,
      etag: '"later"',
      changes: { ...api.importReport.changes, unchanged: ['new'] },
    };
    await user.click(confirm);
    expect(await dialog.findByText(/^These flags have changed/)).toBeVisible();
    expect(await dialog.findByText('1 flag unchanged')).toBeVisible();
    expect(api.imported).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Import flags' }));
    expect(await screen.findByText('Flags imported')).toBeVisible();
  });

  it('says why a file cannot be imported', async () => {
    const api = createFakeFlagsApi();
    await api.refuse('importFlags', {
      status: 400,
      message: 'features must be an array',
    });
    const { user } = render(api);
    await user.upload(
      await screen.findByLabelText('File to import'),
      exportFile('{}'),
    );
    expect(await screen.findByText(/features must be an array/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Import flags' })).toBeNull();
  });

  it('exports one environment of a project', async () => {
    const api = createFakeFlagsApi();
    const { user } = render(api);
    await user.click(
      await screen.findByRole('button', { name: 'Export flags' }),
    );
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(
      await dialog.findByRole('button', { name: /All projects/ }),
    );
    await user.click(await screen.findByRole('option', { name: 'Default' }));
    await user.click(dialog.getByRole('button', { name: /All environments/ }));
    await user.click(await screen.findByRole('option', { name: 'production' }));
    await user.click(dialog.getByRole('button', { name: 'Export flags' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(api.exported).toEqual([
      { project: 'default', environment: 'production' },
    ]);
  });

  it('imports nothing that has errors', async () => {
    const api = createFakeFlagsApi();
    api.importReport = {
      ...api.importReport,
      errors: [{ message: 'Segment missing', affectedItems: ['Europe'] }],
      changes: { ...api.importReport.changes, created: ['a'] },
    };
    const { user } = render(api);
    const dialog = await chooseFile(user, '{}');
    expect(await dialog.findByText('Segment missing: Europe')).toBeVisible();
    expect(dialog.queryByText('1 flag created')).toBeNull();
    expect(dialog.queryByRole('button', { name: 'Import flags' })).toBeNull();
  });

  it('is for reading to others', async () => {
    const api = createFakeFlagsApi();
    api.user = { ...api.user, mayChange: false, projects: [] };
    render(api);
    expect(await screen.findByRole('row', { name: 'Default' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /project/ })).toBeNull();
    expect(screen.queryByLabelText('File to import')).toBeNull();
    expect(screen.getByRole('button', { name: 'Export flags' })).toBeVisible();
  });
});
