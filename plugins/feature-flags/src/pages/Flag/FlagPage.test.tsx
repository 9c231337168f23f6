import {
  act,
  fireEvent,
  screen,
  waitFor,
  within,
} from '@testing-library/react';
import {
  createFakeFlagsApi,
  type FakeFlagsApi,
} from '../../__testUtils__/FakeFlagsApi';
import { renderPlugin } from '../../__testUtils__/renderPlugin';

const path = '/flags/flag/checkout';

describe('FlagPage', () => {
  it('turns a flag off, and back when that fails', async () => {
    const api = createFakeFlagsApi();
    const { user } = renderPlugin({ api, path });
    await user.click(
      await screen.findByRole('switch', { name: 'On in development' }),
    );
    expect(
      await screen.findByRole('switch', { name: 'Off in development' }),
    ).not.toBeChecked();
    expect(api.flags[0].enabled).toBe(false);

    await api.refuse('changeEnvironment', { status: 503, message: 'gone' });
    await user.click(
      screen.getByRole('switch', { name: 'Off in development' }),
    );
    expect(
      await screen.findByText("Couldn't change development"),
    ).toBeVisible();
    await waitFor(() =>
      expect(
        screen.getByRole('switch', { name: 'Off in development' }),
      ).not.toBeChecked(),
    );
  });

  it('asks before it changes production', async () => {
    const api = createFakeFlagsApi();
    const { user } = renderPlugin({ api, path });
    await user.click(
      await screen.findByRole('switch', { name: 'Off in production' }),
    );
    const dialog = await screen.findByRole('dialog', {
      name: 'Turn on checkout in production?',
    });
    expect(api.production.enabled).toBe(false);
    await user.click(within(dialog).getByRole('button', { name: 'Turn on' }));
    expect(
      await screen.findByRole('switch', { name: 'On in production' }),
    ).toBeChecked();
    expect(api.flags[0].enabled).toBe(true);
  });

  it('requests a change where it needs approval, and shows what waits', async () => {
    const api = createFakeFlagsApi();
    api.production = { ...api.production, protected: true };
    const { user } = renderPlugin({ api, path });
    await user.click(
      await screen.findByRole('switch', { name: 'Off in production' }),
    );
    await user.click(
      await screen.findByRole('button', { name: 'Request change' }),
    );
    const request = await screen.findByRole('article', {
      name: 'Change request 1',
    });
    expect(request).toHaveTextContent(/In review.*ada.*Approvals: 0 of 1/);
    await user.type(
      within(request).getByRole('textbox', { name: 'Comment' }),
      'Fine',
    );
    await user.click(within(request).getByRole('button', { name: 'Approve' }));
    expect(
      await within(request).findByText('Approved by grace: Fine'),
    ).toBeVisible();
    await user.click(
      within(request).getByRole('button', { name: 'Apply now' }),
    );
    const dialog = await screen.findByRole('dialog', {
      name: 'Apply change request 1 now?',
    });
    await user.click(
      within(dialog).getByRole('button', { name: 'Apply change' }),
    );
    await waitFor(() => expect(api.requests[0].state).toBe('Applied'));
    await waitFor(() => expect(screen.queryByRole('article')).toBeNull());
  });

  it('plans a staged rollout that stops at a limit, pauses and cancels it', async () => {
    const api = createFakeFlagsApi();
    api.production = { ...api.production, enabled: true };
    const { user } = renderPlugin({ api, path });
    await user.click(
      await screen.findByRole('button', {
        name: 'Schedule a change in production',
      }),
    );
    const dialog = await screen.findByRole('dialog');
    // The flag is on, so the dialog suggests turning it off.
    expect(
      within(dialog).getByRole('button', { name: /^Turn off/ }),
    ).toBeVisible();
    const choose = async (field: RegExp, option: string) => {
      await user.click(within(dialog).getByRole('button', { name: field }));
      await user.click(await screen.findByRole('option', { name: option }));
    };
    await choose(/Change/, 'Roll out to 5%, 25% and 100%');
    await choose(/Stop when/, 'A metric exceeds a limit');
    const create = within(dialog).getByRole('button', {
      name: 'Create schedule',
    });
    await user.click(create);
    expect(dialog).toHaveTextContent('Enter a name');
    await user.type(
      within(dialog).getByRole('textbox', { name: 'Impact metric' }),
      'checkout_errors',
    );
    await user.click(create);
    const panel = await screen.findByRole('region', { name: 'Schedules' });
    expect(panel).toHaveTextContent(/Active.*On, 5%.*25%.*100%/);
    expect(panel).toHaveTextContent('Pauses when checkout_errors: count > 1.');
    expect(api.schedules[0]).toMatchObject({
      environment: 'production',
      steps: [
        { percentage: 5, enabled: true },
        { percentage: 25 },
        { percentage: 100 },
      ],
      limits: [{ kind: 'metric', metric: 'checkout_errors', threshold: 1 }],
    });
    await user.click(within(panel).getByRole('button', { name: 'Pause' }));
    await user.click(
      await within(panel).findByRole('button', { name: 'Resume' }),
    );
    await user.click(
      within(panel).getByRole('button', { name: 'Cancel schedule' }),
    );
    await user.click(
      within(await screen.findByRole('dialog')).getByRole('button', {
        name: 'Cancel schedule',
      }),
    );
    await waitFor(() => expect(api.schedules[0].state).toBe('cancelled'));
  });

  it('tells who gets it and why', async () => {
    const api = createFakeFlagsApi();
    const { user } = renderPlugin({ api, path });
    const panel = await screen.findByRole('region', { name: 'Who gets it' });
    await user.type(
      within(panel).getByRole('textbox', { name: 'User ID' }),
      'ada',
    );
    expect(await within(panel).findByText(/A rule matches/)).toBeVisible();
    expect(panel).toHaveTextContent('251 of 1,000 simulated users (25.1%).');
    expect(panel).toHaveTextContent('Percentage of signed-in users: yes');
  });

  it('asks who gets it once the user stops typing', async () => {
    const api = createFakeFlagsApi();
    const { tryOut } = api;
    const asked: unknown[] = [];
    api.tryOut = async (flag, query, options) => {
      asked.push(query.context.userId);
      return tryOut(flag, query, options);
    };
    renderPlugin({ api, path });
    const panel = await screen.findByRole('region', { name: 'Who gets it' });
    await within(panel).findByText(/A rule matches/);
    const field = within(panel).getByRole('textbox', { name: 'User ID' });
    for (const value of ['a', 'ad', 'ada']) {
      fireEvent.change(field, { target: { value } });
    }
    await waitFor(() => expect(asked).toContain('ada'));
    expect(new Set(asked)).toEqual(new Set([undefined, 'ada']));
  });

  it('undoes one change after asking, and follows what others change', async () => {
    const api = createFakeFlagsApi();
    api.history = [
      {
        id: 7,
        type: 'feature-updated',
        createdBy: 'user:default/ada',
        createdAt: '2026-11-20T10:00:00.000Z',
        preData: { enabled: false },
        data: { enabled: true },
      },
    ];
    const { user } = renderPlugin({ api, path });
    await user.click(
      await screen.findByRole('button', { name: /^Roll back the change of/ }),
    );
    const dialog = await screen.findByRole('dialog');
    expect(dialog).toHaveTextContent('Turned on.');
    await user.click(within(dialog).getByRole('button', { name: 'Roll back' }));
    await waitFor(() => expect(api.rolledBack).toEqual([7]));

    api.put('checkout', { enabled: false });
    act(() =>
      api.followers.forEach(onChange => onChange({ revision: 2, ageMs: 0 })),
    );
    expect(
      await screen.findByRole('switch', { name: 'Off in development' }),
    ).toBeVisible();
  });

  it('notices a change that was made before it could follow changes', async () => {
    const api = createFakeFlagsApi();
    let connect: (ageMs: number) => void = () => {};
    api.connected = new Promise(resolve => {
      connect = resolve;
    });
    renderPlugin({ api, path });
    expect(
      await screen.findByRole('switch', { name: 'On in development' }),
    ).toBeVisible();
    api.put('checkout', { enabled: false });
    connect(0);
    expect(
      await screen.findByRole('switch', { name: 'Off in development' }),
    ).toBeVisible();
  });

  it('says which rules SDKs cannot evaluate, and whom they match', async () => {
    const api = createFakeFlagsApi();
    api.flags[0].problems = [
      {
        field: 'strategies.0.constraints.0.operator',
        message: 'The operator is not known: it matches nobody',
      },
    ];
    renderPlugin({ api, path });
    expect(await screen.findByText(/it matches nobody/)).toHaveTextContent(
      'Rule 1: The operator is not known: it matches nobody',
    );
    expect(screen.getByText('1 problem')).toBeVisible();
  });

  it('shows usage, and who changed what', async () => {
    const api = createFakeFlagsApi();
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
    const { user } = renderPlugin({ api, path });
    const usage = await screen.findByRole('region', { name: 'Usage' });
    expect(
      await within(usage).findByText('Last 60 minutes: 30 on, 12 off.'),
    ).toBeVisible();
    expect(
      await within(usage).findByRole('group', { name: 'Evaluations by hour' }),
    ).toBeVisible();
    await user.click(
      within(usage).getByRole('button', { name: /Environment/ }),
    );
    await user.click(await screen.findByRole('option', { name: 'production' }));
    expect(
      await within(usage).findByText(/^No evaluations in this period/),
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

  it('shows changes of which its short form says nothing', async () => {
    const api = createFakeFlagsApi();
    const rollout = (groupId: string) => ({
      parameters: { rollout: '40', groupId },
      name: 'flexibleRollout',
    });
    api.segments = [{ id: 7, name: 'Team', description: '', constraints: [] }];
    const region = (more: object) => ({
      name: 'default',
      parameters: {},
      segments: [7],
      constraints: [
        {
          contextName: 'region',
          operator: 'STR_CONTAINS',
          values: ['e'],
          ...more,
        },
      ],
    });
    const change = { type: 'feature-updated', createdBy: 'user:default/ada' };
    api.history = [
      {
        ...change,
        id: 2,
        createdAt: '2026-11-20T10:00:00.000Z',
        preData: { tags: [], strategies: [rollout('one')] },
        data: { strategies: [rollout('two')] },
      },
      {
        ...change,
        id: 1,
        createdAt: '2026-11-20T09:00:00.000Z',
        preData: { strategies: [region({})] },
        data: { strategies: [region({ caseInsensitive: true })] },
      },
    ];
    renderPlugin({ api, path });
    const history = await screen.findByRole('region', { name: 'History' });
    await waitFor(() =>
      expect(history).toHaveTextContent(
        /"groupId":"one".* → .*"groupId":"two"/,
      ),
    );
    expect(history).not.toHaveTextContent('tags');
    expect(history).toHaveTextContent(
      'region STR_CONTAINS e · segment Team → default · region STR_CONTAINS e (ignoring case) · segment Team.',
    );
  });

  it('archives after confirmation, and restores', async () => {
    const api = createFakeFlagsApi();
    const { user } = renderPlugin({ api, path });
    await user.click(await screen.findByRole('button', { name: 'Archive' }));
    await user.click(
      await screen.findByRole('button', { name: 'Archive flag' }),
    );
    await user.click(await screen.findByRole('button', { name: 'Restore' }));
    expect(
      await screen.findByRole('switch', { name: 'On in development' }),
    ).toBeVisible();
  });

  describe('a long history', () => {
    const changes = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        id: count - index,
        type: 'feature-updated',
        createdBy: 'user:default/ada',
        createdAt: '2026-11-20T10:00:00.000Z',
        preData: { description: `${count - index - 1}` },
        data: { description: `Version ${count - index}` },
      }));
    const render = (api: FakeFlagsApi) => renderPlugin({ api, path });
    const findHistory = async () =>
      within(await screen.findByRole('region', { name: 'History' }));
    const older = { name: 'Show older changes' };

    it('shows older changes on demand, from the first of them', async () => {
      const api = createFakeFlagsApi();
      api.history = changes(60);
      const { user } = render(api);
      const history = await findHistory();
      expect(await history.findAllByText('Updated.')).toHaveLength(50);
      await user.click(history.getByRole('button', older));
      await waitFor(() =>
        expect(history.getAllByText('Updated.')).toHaveLength(60),
      );
      expect(history.queryByRole('button', older)).toBeNull();
      await waitFor(() =>
        expect(history.getAllByRole('listitem')[50]).toHaveFocus(),
      );
    });

    it('offers no older changes if there are none', async () => {
      const api = createFakeFlagsApi();
      api.history = changes(50);
      render(api);
      const history = await findHistory();
      expect(await history.findAllByText('Updated.')).toHaveLength(50);
      expect(history.queryByRole('button', older)).toBeNull();
    });

    it('keeps older changes in view while they move to the next page', async () => {
      const api = createFakeFlagsApi();
      api.history = changes(60);
      const { user } = render(api);
      const history = await findHistory();
      await user.click(await history.findByRole('button', older));
      expect(await history.findByText(/→ Version 1\./)).toBeVisible();
      const { getHistory } = api;
      api.getHistory = (name, query, options) =>
        query.before === undefined
          ? getHistory(name, query, options)
          : new Promise(() => {});
      api.history = changes(61);
      api.followers.forEach(tell => tell({ revision: 2, ageMs: 0 }));
      expect(await history.findByText(/→ Version 61\./)).toBeVisible();
      expect(history.getByText(/→ Version 1\./)).toBeVisible();
    });
  });

  it('says which flags depend on one before it is archived', async () => {
    const api = createFakeFlagsApi();
    api.put('old-search', {
      dependencies: [{ feature: 'checkout', enabled: false }],
    });
    const { user } = renderPlugin({ api, path });
    await user.click(await screen.findByRole('button', { name: 'Archive' }));
    expect(
      await screen.findByText(
        /These flags depend on it and will be off everywhere: old-search\.$/,
      ),
    ).toBeVisible();
  });

  it('lets readers read, and says who may change', async () => {
    const api = createFakeFlagsApi();
    api.user = { ...api.user, mayChange: false, projects: [] };
    renderPlugin({ api, path });
    expect(
      await screen.findByText(
        'Read-only. The owner of the project and members of group:default/platform-admins can change flags.',
      ),
    ).toBeVisible();
    expect(
      await screen.findByText('25%: Percentage of signed-in users'),
    ).toBeVisible();
    expect(screen.queryByRole('switch')).toBeNull();
    expect(screen.queryByRole('slider')).toBeNull();
  });

  it('says when there is no such flag', async () => {
    renderPlugin({ api: createFakeFlagsApi(), path: '/flags/flag/none' });
    expect(await screen.findByText('Flag none not found')).toBeVisible();
  });
});
