import { ResponseError } from '@backstage/errors';
import { screen, waitFor, within } from '@testing-library/react';
import { FakeFeedbackApi, feedback } from '../__testUtils__/FakeFeedbackApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

function failure(status: number): Promise<ResponseError> {
  return ResponseError.fromResponse(
    new Response('', { status }) as Response & { ok: false },
  ) as Promise<ResponseError>;
}

describe('my feedback', () => {
  it('explains how to send feedback if there is none', async () => {
    renderPlugin({ api: new FakeFeedbackApi([]), path: '/feedback' });
    expect(await screen.findByText('No feedback yet')).toBeVisible();
  });

  it('lists feedback and opens it next to the list', async () => {
    const { user, address } = renderPlugin({
      api: new FakeFeedbackApi([
        feedback({
          hasScreenshot: true,
          issue: { number: 7, url: 'x', title: 'x', tracker: 'embedded' },
        }),
      ]),
      path: '/feedback',
    });
    await user.click(
      await screen.findByRole('link', { name: /The build hangs/ }),
    );
    expect(address()).toBe('/feedback/mine/fb_1');
    const panel = await screen.findByRole('complementary');
    expect(
      await within(panel).findByRole('img', {
        name: 'Screenshot sent with the feedback',
      }),
    ).toBeVisible();
    expect(within(panel).getByRole('link', { name: '#7' })).toHaveAttribute(
      'href',
      '/feedback/issues/7',
    );
  });

  it.each([
    ['/builds', '/builds', null],
    [
      'https://shop.example.com/cart',
      'https://shop.example.com/cart',
      '_blank',
    ],
    // eslint-disable-next-line no-script-url
    ['javascript:alert(1)', undefined, undefined],
    ['the cart', undefined, undefined],
  ])(
    'links to the page %s only if that is safe',
    async (page, href, target) => {
      renderPlugin({
        api: new FakeFeedbackApi([feedback({ page })]),
        path: '/feedback/mine/fb_1',
      });
      const link = (await screen.findByText(page)).closest('a');
      expect(link?.getAttribute('href')).toBe(href);
      expect(link?.getAttribute('target')).toBe(target);
    },
  );

  it('shows when the status changed', async () => {
    renderPlugin({
      api: new FakeFeedbackApi([
        feedback({
          status: 'in_progress',
          history: [
            { at: '2026-11-20T13:00:00.000Z', from: 'new', to: 'validated' },
            {
              at: '2026-11-21T13:00:00.000Z',
              from: 'validated',
              to: 'in_progress',
            },
          ],
        }),
      ]),
      path: '/feedback/mine/fb_1',
    });
    const history = await screen.findByRole('region', { name: 'History' });
    const [last, first] = within(history).getAllByRole('listitem');
    expect(last).toHaveTextContent(/^Validated to In progress/);
    expect(first).toHaveTextContent(/^New to Validated/);
    expect(history).not.toHaveTextContent('by');
  });

  it('goes to the last page that exists', async () => {
    const { address } = renderPlugin({
      api: new FakeFeedbackApi([feedback({})]),
      path: '/feedback/mine?page=2',
    });
    expect(
      await screen.findByRole('link', { name: /The build hangs/ }),
    ).toBeVisible();
    expect(address()).toBe('/feedback/mine');
  });

  it('shows triage to those alone who do it', async () => {
    const api = new FakeFeedbackApi();
    api.options = { ...api.options, mayTriage: false };
    renderPlugin({ api, path: '/feedback' });
    await screen.findByRole('link', { name: /The build hangs/ });
    expect(screen.queryByRole('link', { name: 'Triage' })).toBeNull();
  });
});

it('shows the tabs that the app has enabled, with configured names', async () => {
  const { user, address } = renderPlugin({
    api: new FakeFeedbackApi(),
    path: '/feedback',
    config: {
      app: {
        extensions: [
          'sub-page:feedback/mine',
          { 'sub-page:feedback/statistics': false },
          {
            'sub-page:feedback/triage': {
              config: { path: 'sorting', title: 'Sort' },
            },
          },
        ],
      },
    },
  });
  await user.click(await screen.findByRole('link', { name: 'Sort' }));
  await user.click(
    await screen.findByRole('link', { name: /The build hangs/ }),
  );
  expect(address()).toBe('/feedback/sorting/fb_1');
  const tabs = screen.getByRole('navigation', { name: 'Sections' });
  expect(
    within(tabs)
      .getAllByRole('link')
      .map(tab => tab.textContent),
  ).toEqual(['My feedback', 'Sort', 'Voting']);
});

it('shows a not-found page for unknown addresses', async () => {
  renderPlugin({ api: new FakeFeedbackApi(), path: '/feedback/nowhere' });
  expect(await screen.findByText(/not found/i)).toBeVisible();
});

describe('deletion', () => {
  it.each([
    ['/feedback/triage', 'in_progress'],
    ['/feedback/mine', 'new'],
  ] as const)('asks first, then shows the list (%s)', async (list, status) => {
    const api = new FakeFeedbackApi([
      feedback({ status }),
      feedback({ id: 'fb_2', message: 'Another' }),
    ]);
    const { user, address } = renderPlugin({
      api,
      path: `${list}/fb_1?page=1`,
    });
    const panel = await screen.findByRole('complementary');
    await user.click(
      await within(panel).findByRole('button', { name: 'Delete feedback' }),
    );
    const dialog = await screen.findByRole('dialog', {
      name: 'Delete this feedback?',
    });
    await user.click(
      within(dialog).getByRole('button', { name: 'Delete feedback' }),
    );
    await waitFor(() => expect(address()).not.toContain('fb_1'));
    expect(api.records.map(({ id }) => id)).toEqual(['fb_2']);
    expect(screen.queryByText(/The build hangs/)).toBeNull();
  });

  it('is not offered to senders once somebody has acted on it', async () => {
    renderPlugin({
      api: new FakeFeedbackApi([feedback({ status: 'validated' })]),
      path: '/feedback/mine/fb_1',
    });
    const panel = await screen.findByRole('complementary');
    expect(await within(panel).findByText('/builds')).toBeVisible();
    expect(within(panel).queryByRole('button', { name: /Delete/ })).toBeNull();
  });

  it('is mentioned where a link leads to feedback that is gone', async () => {
    const api = new FakeFeedbackApi([]);
    const missing = await failure(404);
    vi.spyOn(api, 'get').mockRejectedValue(missing);
    renderPlugin({ api, path: '/feedback/mine/fb_1' });
    expect(await screen.findByText('Feedback not found')).toBeVisible();
  });

  it('removes several entries after a question', async () => {
    const api = new FakeFeedbackApi([
      feedback(),
      feedback({ id: 'fb_2', message: 'Another' }),
    ]);
    const { user } = renderPlugin({ api, path: '/feedback/triage' });
    await user.click(
      await screen.findByRole('checkbox', { name: 'Select all' }),
    );
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    const dialog = await screen.findByRole('dialog', {
      name: 'Delete 2 entries?',
    });
    await user.click(
      within(dialog).getByRole('button', { name: 'Delete feedback' }),
    );
    expect(await screen.findByText('2 entries deleted')).toBeInTheDocument();
    expect(api.records).toEqual([]);
  });
});

describe('triage', () => {
  it('filters by the URL, moves with notes and shows the history', async () => {
    const api = new FakeFeedbackApi([
      feedback(),
      feedback({ id: 'fb_2', status: 'resolved', message: 'Another' }),
    ]);
    const { user, address } = renderPlugin({
      api,
      path: '/feedback/triage?status=new',
    });
    await user.click(
      await screen.findByRole('link', { name: /The build hangs/ }),
    );
    expect(address()).toBe('/feedback/triage/fb_1?status=new');
    expect(screen.queryByText('Another')).toBeNull();
    expect(api.queries[0]).toMatchObject({
      filter: { status: 'new' },
      page: 1,
    });

    const panel = await screen.findByRole('complementary');
    await user.type(
      await within(panel).findByRole('textbox', { name: 'Notes' }),
      'Seen it too',
    );
    await user.click(
      within(panel).getByRole('button', { name: 'Change status' }),
    );
    const history = await within(panel).findByRole('region', {
      name: 'History',
    });
    expect(await within(history).findByText('New to Validated')).toBeVisible();
    expect(history).toHaveTextContent(/by ada.*Seen it too/);
  });

  it('warns if little space is left for screenshots', async () => {
    const api = new FakeFeedbackApi([feedback()]);
    const quota = 1024 ** 3;
    api.options = { ...api.options, screenshots: { used: 0.9 * quota, quota } };
    renderPlugin({ api, path: '/feedback/triage' });
    expect(
      await screen.findByText('Screenshots use 921.6 MiB of 1.0 GiB'),
    ).toBeVisible();
  });

  it('lists one component, if a link says so, until that is removed', async () => {
    const shop = 'component:default/shop';
    const api = new FakeFeedbackApi([
      feedback({ component: shop }),
      feedback({ id: 'fb_2', message: 'Another' }),
    ]);
    const { user } = renderPlugin({
      api,
      path: `/feedback/triage?component=${encodeURIComponent(shop)}`,
    });
    expect(
      await screen.findByRole('link', { name: /The build hangs/ }),
    ).toBeVisible();
    expect(screen.queryByText('Another')).toBeNull();
    await user.click(screen.getByRole('button', { name: /Component/ }));
    await user.click(
      await screen.findByRole('option', { name: 'Any component' }),
    );
    expect(await screen.findByText('Another')).toBeVisible();
    expect(screen.queryByRole('button', { name: /Component/ })).toBeNull();
  });

  it('offers a longer period if nothing passes the filters', async () => {
    const { user, address } = renderPlugin({
      api: new FakeFeedbackApi([feedback()]),
      path: '/feedback/triage?status=resolved',
    });
    expect(
      await screen.findByText(
        'Nothing sent in this period passes the filters.',
      ),
    ).toBeVisible();
    const longer = { name: 'Show the last 12 months' };
    await user.click(screen.getByRole('button', longer));
    expect(address()).toBe('/feedback/triage?status=resolved&period=12m');
    expect(screen.queryByRole('button', longer)).toBeNull();
  });

  it('matches anything for values in the URL that it does not know', async () => {
    const api = new FakeFeedbackApi([feedback()]);
    renderPlugin({
      api,
      path: '/feedback/triage?status=open&rating=9&sentiment=sad&replies=all',
    });
    expect(
      await screen.findByRole('link', { name: /The build hangs/ }),
    ).toBeVisible();
    expect(screen.getByRole('button', { name: /Status/ })).toHaveTextContent(
      'Any status',
    );
    expect(api.queries[0].filter).toMatchObject({
      status: '',
      rating: '',
      sentiment: '',
      replies: '',
    });
  });

  it('applies a filter from any page, on the first one', async () => {
    const api = new FakeFeedbackApi(
      Array.from({ length: 60 }, (_, index) =>
        feedback({ id: `fb_${index}`, message: `Message ${index}` }),
      ),
    );
    const { user, address } = renderPlugin({
      api,
      path: '/feedback/triage?page=2',
    });
    await user.click(await screen.findByRole('button', { name: /Status/ }));
    await user.click(await screen.findByRole('option', { name: 'New' }));
    await waitFor(() => expect(address()).toBe('/feedback/triage?status=new'));
  });

  it('highlights the row of the open item, and returns the focus to it', async () => {
    const api = new FakeFeedbackApi([
      feedback(),
      feedback({ id: 'fb_2', message: 'Another' }),
    ]);
    const { user } = renderPlugin({ api, path: '/feedback/triage' });
    await user.click(await screen.findByRole('link', { name: 'Another' }));
    const panel = await screen.findByRole('complementary');
    expect(screen.getByRole('row', { selected: true })).toHaveTextContent(
      'Another',
    );
    await user.click(within(panel).getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('row', { selected: true })).toBeNull();
    await waitFor(() =>
      expect(screen.getByRole('link', { name: 'Another' })).toHaveFocus(),
    );
  });

  it('changes the status of several entries, and undoes it', async () => {
    const api = new FakeFeedbackApi([
      feedback(),
      feedback({ id: 'fb_2', message: 'Another', status: 'in_progress' }),
    ]);
    const { user } = renderPlugin({ api, path: '/feedback/triage' });
    await user.click(
      await screen.findByRole('checkbox', { name: 'Select all' }),
    );
    await user.click(screen.getByRole('button', { name: 'Archive' }));
    expect(
      await screen.findByText('Status of 2 entries changed to Archived'),
    ).toBeInTheDocument();
    const statuses = () => api.records.map(({ status }) => status);
    expect(statuses()).toEqual(['archived', 'archived']);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(statuses()).toEqual(['new', 'in_progress']));
  });

  it('asks before it resolves several entries, as their senders are notified', async () => {
    const api = new FakeFeedbackApi([feedback()]);
    const { user } = renderPlugin({ api, path: '/feedback/triage' });
    await user.click(
      await screen.findByRole('checkbox', { name: 'Select all' }),
    );
    await user.click(screen.getByRole('button', { name: 'Resolve' }));
    const dialog = await screen.findByRole('dialog', {
      name: 'Resolve 1 entry?',
    });
    await user.click(
      within(dialog).getByRole('button', { name: 'Resolve feedback' }),
    );
    await waitFor(() => expect(api.records[0].status).toBe('resolved'));
  });

  it('asks before it resolves an entry, as its sender is notified', async () => {
    const api = new FakeFeedbackApi([feedback({ status: 'in_progress' })]);
    const { user } = renderPlugin({ api, path: '/feedback/triage/fb_1' });
    const panel = await screen.findByRole('complementary');
    await user.click(
      await within(panel).findByRole('button', { name: 'Change status' }),
    );
    const dialog = await screen.findByRole('dialog', {
      name: 'Resolve this feedback?',
    });
    expect(api.records[0].status).toBe('in_progress');
    await user.click(
      within(dialog).getByRole('button', { name: 'Resolve feedback' }),
    );
    await waitFor(() => expect(api.records[0].status).toBe('resolved'));
  });

  it.each([true, false])(
    'says whether the sender is notified of archived feedback: %s',
    async canBeNotified => {
      const api = new FakeFeedbackApi([feedback({ mayReply: canBeNotified })]);
      const { user } = renderPlugin({ api, path: '/feedback/triage/fb_1' });
      await user.click(
        await screen.findByRole('button', { name: /New status/ }),
      );
      await user.click(await screen.findByRole('option', { name: 'Archived' }));
      const help = screen.queryByText(/The sender is notified in 10 minutes/);
      expect(help !== null).toBe(canBeNotified);
    },
  );

  it('names a sender without a name alike in the list and in its panel', async () => {
    const api = new FakeFeedbackApi([
      feedback({ userName: null, isUserVerified: false }),
    ]);
    const { user } = renderPlugin({ api, path: '/feedback/triage' });
    expect(await screen.findByText('Anonymous')).toBeVisible();
    await user.click(screen.getByRole('link', { name: /The build hangs/ }));
    const panel = await screen.findByRole('complementary');
    expect(await within(panel).findByText('Anonymous')).toBeVisible();
  });

  it('does not call a known sender anonymous whose name is unknown', async () => {
    const api = new FakeFeedbackApi([
      feedback({ userName: null, source: 'slack' }),
    ]);
    renderPlugin({ api, path: '/feedback/triage' });
    expect(await screen.findByText('Name unknown')).toBeVisible();
    expect(screen.queryByText('Anonymous')).toBeNull();
  });

  it('marks a name that only the feedback itself claims', async () => {
    const api = new FakeFeedbackApi([
      feedback({
        userName: 'Ada',
        userEmail: 'ada@example.org',
        isUserVerified: false,
      }),
      feedback({ id: 'fb_2', userName: 'Grace' }),
      feedback({
        id: 'fb_3',
        userName: null,
        userEmail: 'vera@example.org',
        isUserVerified: false,
      }),
    ]);
    const { user } = renderPlugin({ api, path: '/feedback/triage' });
    expect(await screen.findByText('Ada, unverified')).toBeVisible();
    expect(screen.getByText('Grace')).toBeVisible();
    expect(screen.getByText('vera@example.org, unverified')).toBeVisible();
    const [, ...rows] = screen.getAllByRole('row');
    await user.click(within(rows[0]).getByRole('link'));
    const panel = await screen.findByRole('complementary');
    expect(
      await within(panel).findByText('Ada (ada@example.org), unverified'),
    ).toBeVisible();
  });

  it('runs the automation and shows its result', async () => {
    const { user } = renderPlugin({
      api: new FakeFeedbackApi(),
      path: '/feedback/triage',
    });
    await user.click(
      await screen.findByRole('button', { name: 'Create issues' }),
    );
    const dialog = await screen.findByRole('dialog', {
      name: 'Create issues for all validated feedback?',
    });
    await user.click(
      within(dialog).getByRole('button', { name: 'Create issues' }),
    );
    expect(
      await screen.findByText(
        'Issues created: 1. Not created: 1. GitHub answered 422.',
      ),
    ).toBeVisible();
  });

  it.each([
    [403, 'No access to this feedback'],
    [503, 'The feedback service is not responding'],
    [500, "Couldn't load feedback"],
  ])('says on %i: %s', async (status, text) => {
    const api = new FakeFeedbackApi();
    api.failure = await failure(status);
    renderPlugin({ api, path: '/feedback/triage' });
    expect(await screen.findByText(text)).toBeVisible();
  });
});

it('draws the statistics, with links to the entries', async () => {
  renderPlugin({
    api: new FakeFeedbackApi(),
    path: '/feedback/statistics?period=90d',
  });
  expect(
    await screen.findByRole('group', { name: 'Average rating' }),
  ).toHaveTextContent('3.75 of 5');
  const panel = screen.getByRole('region', { name: 'By category' });
  expect(within(panel).getByRole('row', { name: /UI\/UX.*3/ })).toBeVisible();
  expect(
    await within(panel).findByRole('link', { name: 'UI/UX' }),
  ).toHaveAttribute('href', '/feedback/triage?category=UI%2FUX&period=90d');
});

it('shows the statistics without links to those who may not triage', async () => {
  const api = new FakeFeedbackApi();
  api.options = { ...api.options, mayTriage: false };
  renderPlugin({ api, path: '/feedback/statistics' });
  const panel = await screen.findByRole('region', { name: 'By category' });
  expect(within(panel).queryByRole('link')).toBeNull();
});

it('hides the text of an issue sent by another user', async () => {
  const api = new FakeFeedbackApi();
  api.options = { ...api.options, mayTriage: false };
  api.issue = {
    ...api.issue,
    title: 'Feedback on CI/CD',
    body: null,
    feedbackId: null,
  };
  renderPlugin({ api, path: '/feedback/issues/7' });
  expect(
    await screen.findByText('Only the sender and admins can read the message.'),
  ).toBeVisible();
  expect(
    screen.getByRole('heading', { level: 1, name: 'Feedback on CI/CD' }),
  ).toBeVisible();
});

it('renders the Markdown of an issue, and nothing in it that runs or loads', async () => {
  const api = new FakeFeedbackApi();
  api.issue = {
    ...api.issue,
    body: [
      '```text',
      'The build <b>fails</b>',
      '```',
      '- Feedback: https://slipway.example/feedback/triage/1',
      '- [mail](mailto:ada@example.org)',
      '',
      '<script>window.attacked = true</script>',
      '<img src="https://evil.example/1.png" onerror="window.attacked = true">',
      '',
      '[one](javascript:alert(1)) [two](JaVaScRiPt&colon;alert(1)) <javascript:alert(1)>',
      '[three](data:text/html,x) [four](//evil.example) ![](https://evil.example/2.png)',
    ].join('\n'),
  };
  renderPlugin({ api, path: '/feedback/issues/7' });
  const message = await screen.findByText('The build <b>fails</b>');
  expect(message.closest('pre')).toBeVisible();
  expect(screen.queryByText(/```/)).toBeNull();

  const text = message.closest('pre')!.parentElement!;
  const links = [...text.querySelectorAll('a')];
  expect(links.map(link => link.getAttribute('href'))).toEqual([
    'https://slipway.example/feedback/triage/1',
    'mailto:ada@example.org',
  ]);
  expect(links.map(link => link.rel)).toEqual([
    'noreferrer noopener',
    'noreferrer noopener',
  ]);
  expect(text.querySelectorAll('script, img, iframe, b')).toHaveLength(0);
  expect(text).toHaveTextContent('one two');
  expect(window).not.toHaveProperty('attacked');
});

it('closes an issue', async () => {
  const { user } = renderPlugin({
    api: new FakeFeedbackApi(),
    path: '/feedback/issues/7',
  });
  await user.click(await screen.findByRole('button', { name: 'Close issue' }));
  const dialog = await screen.findByRole('dialog', { name: 'Close issue #7?' });
  await user.click(within(dialog).getByRole('button', { name: 'Close issue' }));
  expect(
    await screen.findByRole('button', { name: 'Reopen issue' }),
  ).toBeVisible();
});
