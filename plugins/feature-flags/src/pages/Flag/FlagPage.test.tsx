import { act, screen, waitFor, within } from '@testing-library/react';
import { FakeFlagsApi } from '../../__testUtils__/FakeFlagsApi';
import { renderPlugin } from '../../__testUtils__/renderPlugin';

const path = '/flags/flag/checkout';

describe('FlagPage', () => {
  it('turns a flag off, and back when that fails', async () => {
    const api = new FakeFlagsApi();
    const { user } = renderPlugin({ api, path });
    await user.click(await screen.findByRole('switch', { name: 'On' }));
    expect(
      await screen.findByRole('switch', { name: 'Off' }),
    ).not.toBeChecked();
    expect(api.flags[0].enabled).toBe(false);

    await api.refuse('toggleFlag', { status: 503, message: 'gone' });
    await user.click(screen.getByRole('switch', { name: 'Off' }));
    expect(await screen.findByText("Couldn't change flag")).toBeVisible();
    await waitFor(() =>
      expect(screen.getByRole('switch', { name: 'Off' })).not.toBeChecked(),
    );
  });

  it('changes the share as a draft, and saves it', async () => {
    const api = new FakeFlagsApi();
    const { user } = renderPlugin({ api, path });
    const slider = await screen.findByRole('slider');
    expect(slider).toHaveValue('25');
    act(() => slider.focus());
    await user.keyboard('{ArrowRight}');
    expect(api.flags[0].strategies[0].parameters.percentage).toBe('25');
    await user.click(screen.getByRole('button', { name: 'Save rollout' }));
    await waitFor(() =>
      expect(api.flags[0].strategies).toEqual([
        {
          name: 'gradualRolloutUserId',
          parameters: { percentage: '26', groupId: 'checkout' },
        },
      ]),
    );
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: 'Save rollout' })).toBeNull(),
    );
  });

  it('keeps a draft while the flag is read again, and shows both where others have saved', async () => {
    const api = new FakeFlagsApi();
    const { user } = renderPlugin({ api, path });
    const slider = await screen.findByRole('slider');
    act(() => slider.focus());
    await user.keyboard('{ArrowRight}');
    const theirs = {
      name: 'default',
      parameters: {},
      constraints: [{ contextName: 'region', operator: 'IN', values: ['eu'] }],
    };
    await api.updateFlag('checkout', { strategies: [theirs] });
    await user.click(screen.getByRole('button', { name: 'Save rollout' }));

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
      expect(screen.queryByRole('button', { name: 'Save rollout' })).toBeNull(),
    );
  });

  it('keeps constraints when the kind of a rule changes, and adds rules that let nobody in', async () => {
    const api = new FakeFlagsApi();
    const constraints = [
      { contextName: 'region', operator: 'IN', values: ['eu'] },
    ];
    await api.updateFlag('checkout', {
      strategies: [
        { ...api.flags[0].strategies[0], constraints, segments: [7] },
      ],
    });
    const { user } = renderPlugin({ api, path });
    await user.click(await screen.findByRole('button', { name: /Applies to/ }));
    await user.click(
      await screen.findByRole('option', {
        name: 'Percentage of users or sessions',
      }),
    );
    await user.click(screen.getByRole('button', { name: 'Add rule' }));
    await user.click(screen.getByRole('button', { name: 'Save rollout' }));
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

  it('turns a flag on in one environment, and leaves the others', async () => {
    const api = new FakeFlagsApi();
    const { user } = renderPlugin({ api, path });
    const panel = await screen.findByRole('region', { name: 'Environments' });
    await user.click(
      await within(panel).findByRole('switch', { name: 'Off in production' }),
    );
    expect(
      await within(panel).findByRole('switch', { name: 'On in production' }),
    ).toBeChecked();
    expect(api.environments[0].enabled).toBe(true);
    expect(panel).toHaveTextContent('gradualRolloutUserId 25%');
  });

  it('narrows a rule by a constraint and a segment', async () => {
    const api = new FakeFlagsApi();
    api.segments = [{ id: 7, name: 'Team', description: '', constraints: [] }];
    const { user } = renderPlugin({ api, path });
    await user.click(await screen.findByRole('checkbox', { name: 'Team' }));
    await user.click(screen.getByRole('button', { name: 'Add constraint' }));
    await user.click(screen.getByRole('button', { name: /Field/ }));
    await user.click(await screen.findByRole('option', { name: 'region' }));
    expect(await screen.findByText('One or more of eu, us')).toBeVisible();
    await user.type(screen.getByRole('textbox', { name: 'Values' }), 'eu, us');
    await user.click(screen.getByRole('button', { name: 'Save rollout' }));
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

  it('says which rules SDKs cannot evaluate, and whom they match', async () => {
    const api = new FakeFlagsApi();
    api.flags[0].problems = [
      {
        field: 'strategies.0.constraints.0.operator',
        message: 'The operator is not known: it matches nobody',
      },
    ];
    renderPlugin({ api, path });
    expect(await screen.findByText(/it matches nobody/)).toBeVisible();
    expect(screen.getAllByText('1 problem')).toHaveLength(2);
  });

  it('shows usage, and who changed what', async () => {
    const api = new FakeFlagsApi();
    api.history = [
      {
        id: 2,
        type: 'feature-updated',
        createdBy: 'user:default/ada',
        createdAt: '2026-11-20T10:00:00.000Z',
        preData: {
          enabled: false,
          type: 'release',
          strategies: [
            {
              name: 'flexibleRollout',
              parameters: { rollout: '70' },
              constraints: [
                { contextName: 'region', operator: 'IN', values: ['eu'] },
              ],
            },
          ],
        },
        data: {
          enabled: true,
          type: 'release',
          strategies: [
            { name: 'flexibleRollout', parameters: { rollout: '40' } },
          ],
        },
      },
      {
        id: 1,
        type: 'feature-created',
        createdBy: 'token:user:default/grace',
        createdAt: '2026-11-20T09:00:00.000Z',
        preData: null,
        data: { enabled: false, type: 'release' },
      },
    ];
    renderPlugin({ api, path });
    const usage = await screen.findByRole('region', { name: 'Usage' });
    expect(
      await within(usage).findByText('Last 60 minutes: 30 on, 12 off.'),
    ).toBeVisible();
    expect(
      await within(usage).findByRole('group', { name: 'Evaluations by hour' }),
    ).toBeVisible();
    const history = screen.getByRole('region', { name: 'History' });
    expect(
      await within(history).findByText('enabled: false → true.'),
    ).toBeVisible();
    expect(history).toHaveTextContent(
      'strategies: flexibleRollout 70% · region IN eu → flexibleRollout 40%.',
    );
    expect(history).toHaveTextContent(/ada,/);
    expect(history).toHaveTextContent(/token user:default\/grace,/);
    expect(history).not.toHaveTextContent('type:');
  });

  it('archives after asking, and brings back', async () => {
    const api = new FakeFlagsApi();
    const { user } = renderPlugin({ api, path });
    await user.click(await screen.findByRole('button', { name: 'Archive' }));
    await user.click(
      await screen.findByRole('button', { name: 'Archive flag' }),
    );
    await user.click(await screen.findByRole('button', { name: 'Restore' }));
    expect(await screen.findByRole('switch', { name: 'On' })).toBeVisible();
  });

  it('lets readers read, and says who may change', async () => {
    const api = new FakeFlagsApi();
    api.user = { ...api.user, mayChange: false };
    renderPlugin({ api, path });
    expect(
      await screen.findByText(
        'Read-only. Members of group:default/platform-admins can change flags.',
      ),
    ).toBeVisible();
    expect(
      await screen.findByText('Percentage of signed-in users'),
    ).toBeVisible();
    expect(screen.queryByRole('switch')).toBeNull();
    expect(screen.queryByRole('slider')).toBeNull();
  });

  it('says when there is no such flag', async () => {
    renderPlugin({ api: new FakeFlagsApi(), path: '/flags/flag/none' });
    expect(await screen.findByText('Flag none not found')).toBeVisible();
  });
});
