import { screen, waitFor, within } from '@testing-library/react';
import {
  createFakeFlagsApi,
  type FakeFlagsApi,
} from '../../__testUtils__/FakeFlagsApi';
import { renderPlugin } from '../../__testUtils__/renderPlugin';

const path = '/flags/flag/checkout';

function open(api: FakeFlagsApi = createFakeFlagsApi()) {
  const { user } = renderPlugin({ api, path });
  const press = async (name: string) =>
    user.click(await screen.findByRole('button', { name }));
  const choose = async (field: RegExp, option: string) => {
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: field }));
    await user.click(await screen.findByRole('option', { name: option }));
  };
  const submit = async (name: string) =>
    user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name }),
    );
  return { api, user, press, choose, submit };
}

describe('Relations of a flag', () => {
  it('moves it to another project that the user may change', async () => {
    const api = createFakeFlagsApi();
    api.projects = ['default', 'shop', 'depot'].map(id => ({
      id,
      name: `Project ${id}`,
      owner: null,
    }));
    api.user = { ...api.user, mayChange: false, projects: ['default', 'shop'] };
    const { press, submit } = open(api);
    await press('Change project');
    const dialog = await screen.findByRole('dialog', {
      name: 'Move checkout to another project',
    });
    // Projects of other owners are not offered.
    expect(dialog).toHaveTextContent('Project shop');
    expect(dialog).not.toHaveTextContent('Project depot');
    await api.refuse('moveFlag', { status: 403, message: 'on in production' });
    await submit('Move flag');
    expect(await screen.findByText(/on in production/)).toBeVisible();
    api.recover();
    await submit('Move flag');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(api.flags[0].project).toBe('shop');
  });

  it('adds a parent flag that is required to give a variant, and changes that', async () => {
    const api = createFakeFlagsApi();
    const variants = [{ name: 'blue', weight: 1_000 }];
    api.put('old-search', { variants });
    const { user, press, choose, submit } = open(api);
    await press('Add parent flag');
    await submit('Add parent flag');
    expect(await screen.findByText('Choose a flag')).toBeVisible();
    await choose(/Parent flag/, 'old-search');
    await choose(/Condition/, 'Returns one of these variants');
    await submit('Add parent flag');
    expect(
      await screen.findByText('Choose at least one variant'),
    ).toBeVisible();
    await user.click(screen.getByRole('checkbox', { name: 'blue' }));
    await submit('Add parent flag');
    expect(
      await screen.findByRole('link', { name: 'old-search returns blue' }),
    ).toHaveAttribute('href', '/flags/flag/old-search');
    expect(api.flags[0].dependencies).toEqual([
      { feature: 'old-search', enabled: true, variants: ['blue'] },
    ]);

    await press('Edit parent flag old-search');
    await choose(/Condition/, 'Is off');
    await submit('Save parent flag');
    expect(await screen.findByText('old-search is off')).toBeVisible();
    expect(api.flags[0].dependencies).toEqual([
      { feature: 'old-search', enabled: false },
    ]);
  });

  it('shows why the service refuses a parent flag', async () => {
    const { api, press, choose, submit } = open();
    await api.refuse('setDependency', {
      status: 400,
      message: 'feature must be another flag',
    });
    await press('Add parent flag');
    await choose(/Parent flag/, 'checkout');
    await submit('Add parent flag');
    expect(
      await screen.findByText(/feature must be another flag/),
    ).toBeVisible();
  });

  it('removes a parent flag, after asking where the flag is on in production', async () => {
    const api = createFakeFlagsApi();
    const dependencies = [{ feature: 'old-search', enabled: true }];
    api.put('checkout', { dependencies });
    const { press, submit } = open(api);
    await press('Remove parent flag old-search');
    expect(await screen.findByText('Depends on no other flag.')).toBeVisible();
    await press('Undo');
    expect(await screen.findByText('old-search is on')).toBeVisible();
    expect(api.flags[0].dependencies).toEqual(dependencies);

    api.production = { ...api.production, enabled: true };
    await press('Edit parent flag old-search');
    await submit('Save parent flag');
    await screen.findByRole('switch', { name: 'On in production' });
    await press('Remove parent flag old-search');
    expect(await screen.findByRole('dialog')).toHaveTextContent(
      'The flag is on in production',
    );
    expect(api.flags[0].dependencies).toEqual(dependencies);
    await submit('Remove');
    await waitFor(() => expect(api.flags[0].dependencies).toEqual([]));
  });

  it('adds tags with types, and removes one with undo', async () => {
    const { api, user, press, submit } = open();
    await press('Add tag');
    await submit('Add tag');
    expect(await screen.findByText('Enter a value')).toBeVisible();
    const type = screen.getByRole('textbox', { name: 'Type' });
    await user.clear(type);
    await user.type(type, 'team');
    await user.type(screen.getByRole('textbox', { name: 'Value' }), 'pay');
    await submit('Add tag');
    const tags = within(await screen.findByRole('region', { name: 'Tags' }));
    const added = await tags.findByRole('row', { name: 'team:pay' });
    await user.click(within(added).getByRole('button'));
    await waitFor(() =>
      expect(api.flags[0].tags).toEqual([{ type: 'simple', value: 'shop' }]),
    );
    await press('Undo');
    expect(await tags.findByRole('row', { name: 'team:pay' })).toBeVisible();
    const removeTag = api.removeTag.bind(api);
    api.removeTag = async (...tag) => {
      await new Promise(resolve => setTimeout(resolve, 50));
      return removeTag(...tag);
    };
    const buttons = tags
      .getAllByRole('row')
      .map(row => within(row).getByRole('button'));
    await Promise.all(buttons.map(button => user.click(button)));
    await waitFor(() => expect(api.flags[0].tags).toEqual([]));
    // The message about the first of the two.
    expect(await screen.findByText('Tag shop removed')).toBeInTheDocument();
  });

  it('adds links, and removes one with undo', async () => {
    const { api, user, press, submit } = open();
    await press('Add link');
    const url = await screen.findByRole('textbox', { name: 'URL' });
    await user.type(url, 'example.org');
    await submit('Add link');
    expect(await screen.findByText(/Enter an address that/)).toBeVisible();
    await user.clear(url);
    await user.type(url, 'https://example.org/1');
    await user.type(screen.getByRole('textbox', { name: 'Title' }), 'Plan');
    await submit('Add link');
    expect(await screen.findByRole('link', { name: /Plan/ })).toHaveAttribute(
      'href',
      'https://example.org/1',
    );
    await press('Remove link Plan');
    await waitFor(() => expect(api.flags[0].links).toEqual([]));
    await waitFor(() =>
      expect(screen.getByRole('region', { name: 'Links' })).toHaveFocus(),
    );
    await press('Undo');
    await waitFor(() =>
      expect(api.flags[0].links).toMatchObject([
        { title: 'Plan', url: 'https://example.org/1' },
      ]),
    );
  });

  it('edits the settings, and shows both versions if others have saved some', async () => {
    const { api, user, press, submit, choose } = open();
    await press('Edit');
    await choose(/Type/, 'Permission');
    expect(screen.getByText('Flags of this type are permanent.')).toBeVisible();
    await user.click(screen.getByRole('switch', { name: /Impression data/ }));
    await submit('Save settings');
    await waitFor(() =>
      expect(api.flags[0]).toMatchObject({
        type: 'permission',
        impressionData: true,
      }),
    );

    await press('Edit');
    const description = await screen.findByRole('textbox', {
      name: 'Description',
    });
    await user.clear(description);
    await user.type(description, 'Mine');
    api.put('checkout', { description: 'Theirs' });
    await submit('Save settings');
    const conflict = await screen.findByRole('dialog', {
      name: 'The settings of checkout have changed',
    });
    const part = (name: string) =>
      within(conflict).getByRole('region', { name });
    await waitFor(() =>
      expect(part('Saved settings')).toHaveTextContent('Theirs'),
    );
    expect(part('Your draft')).toHaveTextContent('Mine');
    expect(api.flags[0].description).toBe('Theirs');
    await submit('Replace with draft');
    await waitFor(() => expect(api.flags[0].description).toBe('Mine'));
  });

  it('gives the flag variants in an environment, with stickiness and overrides', async () => {
    const { api, user, press, submit } = open();
    await press('Edit rules in production');
    const variants = within(
      await screen.findByRole('region', { name: 'Variants of the flag' }),
    );
    await user.click(
      variants.getByRole('button', { name: 'Add flag variant' }),
    );
    await user.click(variants.getByRole('button', { name: /Stickiness/ }));
    await user.click(await screen.findByRole('option', { name: 'sessionId' }));
    await press('Add override to variant-1');
    await user.type(
      screen.getByRole('textbox', { name: 'Values' }),
      'ada, grace',
    );
    await press('Save rules');
    expect(api.production.variants).toEqual([]);
    await submit('Save rules');
    expect(
      await screen.findByText('Variants of the flag: variant-1 100%'),
    ).toBeVisible();
    expect(api.production.variants).toEqual([
      {
        name: 'variant-1',
        weight: 1_000,
        weightType: 'variable',
        stickiness: 'sessionId',
        overrides: [{ contextName: 'userId', values: ['ada', 'grace'] }],
      },
    ]);
  });

  it('requests a change of variants where changes need approval', async () => {
    const api = createFakeFlagsApi();
    const variants = [{ name: 'blue', weight: 1_000, weightType: 'variable' }];
    api.production = { ...api.production, protected: true, variants };
    const { press } = open(api);
    await press('Edit rules in production');
    await press('Remove blue');
    await press('Request change');
    const request = within(
      await screen.findByRole('article', { name: 'Change request 1' }),
    );
    expect(request.getByRole('region', { name: 'Before' })).toHaveTextContent(
      'Variants of the flag: blue 100%',
    );
    expect(
      request.getByRole('region', { name: 'After' }),
    ).not.toHaveTextContent('blue');
    expect(api.production.variants).toEqual(variants);
  });
});

describe('Code references of a flag', () => {
  it('are said to be missing below the heading of their panel', async () => {
    open(createFakeFlagsApi());
    const panel = await screen.findByRole('region', {
      name: 'Code references',
    });
    expect(
      await within(panel).findByRole('heading', { level: 3 }),
    ).toHaveTextContent('No code references yet');
  });

  it.each([99, 100])(
    'says from 100 lines on that there may be more: %i',
    async count => {
      const api = createFakeFlagsApi();
      api.references = Array.from({ length: count }, (_, index) => ({
        repository: 'https://forge.example/shop/web',
        commit: 'abc',
        path: 'src/checkout.ts',
        line: index + 1,
        text: "'checkout'",
        url: `https://forge.example/shop/web/src/checkout.ts#L${index + 1}`,
        scannedAt: '2026-11-01T00:00:00Z',
      }));
      open(api);
      expect(
        await screen.findByRole('link', { name: /src\/checkout\.ts:1(\D|$)/ }),
      ).toBeVisible();
      const more =
        'Showing the first 100 lines of shop/web. There may be more.';
      expect(screen.queryAllByText(more)).toHaveLength(count === 100 ? 1 : 0);
    },
  );
});
