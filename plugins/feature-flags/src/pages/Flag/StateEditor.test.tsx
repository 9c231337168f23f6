import { act, screen, waitFor, within } from '@testing-library/react';
import { createFakeFlagsApi } from '../../__testUtils__/FakeFlagsApi';
import { renderPlugin } from '../../__testUtils__/renderPlugin';

const path = '/flags/flag/checkout';

/** Opens the rules of development for editing. */
async function edit(user: ReturnType<typeof renderPlugin>['user']) {
  await user.click(
    await screen.findByRole('button', { name: 'Edit rules in development' }),
  );
}

describe('StateEditor', () => {
  it('changes the share as a draft, and saves it', async () => {
    const api = createFakeFlagsApi();
    const { user } = renderPlugin({ api, path });
    await edit(user);
    const slider = await screen.findByRole('slider');
    expect(slider).toHaveValue('25');
    expect(screen.getByText('Rollout group')).toBeVisible();
    expect(screen.queryByText('groupId')).toBeNull();
    act(() => slider.focus());
    await user.keyboard('{ArrowRight}');
    expect(api.flags[0].strategies[0].parameters.percentage).toBe('25');
    await user.click(screen.getByRole('button', { name: 'Save rules' }));
    await waitFor(() =>
      expect(api.flags[0].strategies).toEqual([
        {
          name: 'gradualRolloutUserId',
          parameters: { percentage: '26', groupId: 'checkout' },
        },
      ]),
    );
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: 'Save rules' })).toBeNull(),
    );
  });

  it('keeps a draft while the flag is read again, and shows both where others have saved', async () => {
    const api = createFakeFlagsApi();
    const { user } = renderPlugin({ api, path });
    await edit(user);
    const slider = await screen.findByRole('slider');
    act(() => slider.focus());
    await user.keyboard('{ArrowRight}');
    const theirs = {
      name: 'default',
      parameters: {},
      constraints: [{ contextName: 'region', operator: 'IN', values: ['eu'] }],
    };
    api.put('checkout', { strategies: [theirs] });
    await user.click(screen.getByRole('button', { name: 'Save rules' }));

    const dialog = await screen.findByRole('dialog', {
      name: 'The rules of checkout have changed',
    });
    const part = (name: string) => within(dialog).getByRole('region', { name });
    await waitFor(() =>
      expect(part('Saved rules')).toHaveTextContent('default · region IN eu'),
    );
    expect(part('Your draft')).toHaveTextContent('gradualRolloutUserId 26%');
    expect(api.flags[0].strategies).toEqual([theirs]);
    await user.click(
      within(dialog).getByRole('button', { name: 'Replace with draft' }),
    );
    await waitFor(() =>
      expect(api.flags[0].strategies).toMatchObject([
        { parameters: { percentage: '26' } },
      ]),
    );
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: 'Save rules' })).toBeNull(),
    );
  });

  it('ends when another flag is opened', async () => {
    const api = createFakeFlagsApi();
    const { user, go } = renderPlugin({ api, path: '/flags/flag/old-search' });
    await screen.findByRole('button', { name: 'Edit rules in development' });
    go(path);
    await screen.findByRole('heading', { name: 'checkout' });
    await edit(user);
    await screen.findByRole('slider');
    // The page appears immediately, from cached data.
    go('/flags/flag/old-search');
    await screen.findByRole('heading', { name: 'old-search' });
    expect(screen.queryByRole('button', { name: 'Save rules' })).toBeNull();
  });

  it('keeps constraints when the kind of a rule changes, and adds rules that let nobody in', async () => {
    const api = createFakeFlagsApi();
    const constraints = [
      { contextName: 'region', operator: 'IN', values: ['eu'] },
    ];
    api.put('checkout', {
      strategies: [
        { ...api.flags[0].strategies[0], constraints, segments: [7] },
      ],
    });
    const { user } = renderPlugin({ api, path });
    await edit(user);
    await user.click(await screen.findByRole('button', { name: /Applies to/ }));
    await user.click(
      await screen.findByRole('option', {
        name: 'Percentage of users or sessions',
      }),
    );
    await user.click(screen.getByRole('button', { name: 'Add rule' }));
    await user.click(screen.getByRole('button', { name: 'Save rules' }));
    await waitFor(() =>
      expect(api.flags[0].strategies).toMatchObject([
        {
          name: 'flexibleRollout',
          parameters: { rollout: '25' },
          constraints,
          segments: [7],
        },
        { name: 'flexibleRollout', parameters: { rollout: '0' } },
      ]),
    );
  });

  it('gives variants to those who match a rule, with shares and payloads', async () => {
    const api = createFakeFlagsApi();
    const { user } = renderPlugin({ api, path });
    await edit(user);
    const add = await screen.findByRole('button', { name: 'Add variant' });
    await user.click(add);
    await user.click(add);
    const first = within(screen.getByRole('group', { name: 'Variant 1' }));
    const name = first.getByRole('textbox', { name: 'Name' });
    await user.clear(name);
    await user.type(name, 'blue');
    const share = first.getByRole('textbox', { name: 'Share (%)' });
    await user.clear(share);
    await user.type(share, '20{Tab}');
    await user.click(first.getByRole('button', { name: /Payload/ }));
    await user.click(await screen.findByRole('option', { name: 'Text' }));
    await user.type(first.getByRole('textbox', { name: 'Value' }), 'sky');
    await user.click(screen.getByRole('button', { name: 'Save rules' }));
    await waitFor(() =>
      expect(api.flags[0].strategies[0].variants).toMatchObject([
        {
          name: 'blue',
          weight: 200,
          weightType: 'fix',
          payload: { type: 'string', value: 'sky' },
        },
        { name: 'variant-2', weight: 800, weightType: 'variable' },
      ]),
    );
  });

  it('narrows a rule by a constraint and a segment', async () => {
    const api = createFakeFlagsApi();
    api.segments = [{ id: 7, name: 'Team', description: '', constraints: [] }];
    const { user } = renderPlugin({ api, path });
    await edit(user);
    await user.click(await screen.findByRole('checkbox', { name: 'Team' }));
    await user.click(screen.getByRole('button', { name: 'Add constraint' }));
    await user.click(screen.getByRole('button', { name: /Field/ }));
    await user.click(await screen.findByRole('option', { name: 'region' }));
    expect(await screen.findByText('One or more of eu, us')).toBeVisible();
    await user.type(screen.getByRole('textbox', { name: 'Values' }), 'eu, us');
    await user.click(screen.getByRole('button', { name: 'Save rules' }));
    await waitFor(() =>
      expect(api.flags[0].strategies).toMatchObject([
        {
          name: 'gradualRolloutUserId',
          segments: [7],
          constraints: [
            { contextName: 'region', operator: 'IN', values: ['eu', 'us'] },
          ],
        },
      ]),
    );
  });

  it('gives rules titles and another order, and ignores case', async () => {
    const api = createFakeFlagsApi();
    const { user } = renderPlugin({ api, path });
    await edit(user);
    const first = 'Percentage of signed-in users';
    expect(
      screen.queryByRole('button', { name: `Move ${first} down` }),
    ).toBeNull();
    await user.type(screen.getByRole('textbox', { name: 'Title' }), 'Quarter');
    await user.click(screen.getByRole('button', { name: 'Add constraint' }));
    expect(screen.queryByRole('checkbox', { name: 'Ignore case' })).toBeNull();
    await user.click(screen.getByRole('button', { name: /Operator/ }));
    await user.click(
      await screen.findByRole('option', { name: 'is after (DATE_AFTER)' }),
    );
    expect(
      await screen.findByRole('textbox', { name: 'Value' }),
    ).toHaveAccessibleDescription(/time zone/);
    await user.click(screen.getByRole('button', { name: /Operator/ }));
    await user.click(
      await screen.findByRole('option', { name: 'contains (STR_CONTAINS)' }),
    );
    await user.click(
      await screen.findByRole('checkbox', { name: 'Ignore case' }),
    );
    await user.click(screen.getByRole('button', { name: 'Add rule' }));
    await user.click(
      screen.getByRole('button', { name: `Move ${first} down` }),
    );
    expect(
      screen.getByRole('button', { name: `Move ${first} down` }),
    ).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Save rules' }));
    await waitFor(() =>
      expect(api.flags[0].strategies).toMatchObject([
        { name: 'flexibleRollout' },
        {
          name: 'gradualRolloutUserId',
          title: 'Quarter',
          constraints: [{ operator: 'STR_CONTAINS', caseInsensitive: true }],
        },
      ]),
    );
  });

  it('copies the rules of another environment into the draft', async () => {
    const api = createFakeFlagsApi();
    api.put('checkout', {
      strategies: [
        { id: 'one', name: 'default', parameters: {}, title: 'All' },
      ],
      variants: [{ name: 'red', weight: 1_000 }],
    });
    const { user } = renderPlugin({ api, path });
    await user.click(
      await screen.findByRole('button', { name: 'Edit rules in production' }),
    );
    await user.click(screen.getByRole('button', { name: 'Copy rules from' }));
    await user.click(
      await screen.findByRole('menuitem', { name: 'development' }),
    );
    expect(screen.getByRole('textbox', { name: 'Title' })).toHaveValue('All');
    expect(api.production.strategies).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Save rules' }));
    await user.click(
      within(await screen.findByRole('dialog')).getByRole('button', {
        name: 'Save rules',
      }),
    );
    await waitFor(() =>
      expect(api.production).toMatchObject({
        strategies: [{ name: 'default', title: 'All' }],
        variants: [{ name: 'red', weight: 1_000 }],
      }),
    );
    expect(api.production.strategies[0].id).toBeUndefined();
  });

  it('offers the legal values of a field to choose from', async () => {
    const api = createFakeFlagsApi();
    const { user } = renderPlugin({ api, path });
    await edit(user);
    await user.click(screen.getByRole('button', { name: 'Add constraint' }));
    expect(screen.queryByRole('group', { name: 'Legal values' })).toBeNull();
    await user.click(screen.getByRole('button', { name: /Field/ }));
    await user.click(await screen.findByRole('option', { name: 'region' }));
    const legal = within(
      await screen.findByRole('group', { name: 'Legal values' }),
    );
    await user.click(legal.getByRole('checkbox', { name: 'us' }));
    await user.click(legal.getByRole('checkbox', { name: 'eu' }));
    await user.click(legal.getByRole('checkbox', { name: 'us' }));
    expect(screen.getByRole('textbox', { name: 'Values' })).toHaveValue('eu');
    await user.click(screen.getByRole('button', { name: 'Save rules' }));
    await waitFor(() =>
      expect(api.flags[0].strategies[0].constraints).toMatchObject([
        { contextName: 'region', values: ['eu'] },
      ]),
    );
  });
});
