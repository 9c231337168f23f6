import { screen, waitFor, within } from '@testing-library/react';
import { FakeSpaceApi } from '../__testUtils__/FakeSpaceApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

describe('FrictionPage', () => {
  it('ranks friction, shows the texts of one category and when further ones appear', async () => {
    const { user, address } = renderPlugin({
      api: new FakeSpaceApi(),
      path: '/experience/friction?team=payments&sort=-time',
    });
    const table = await screen.findByRole('grid', {
      name: 'Friction by time lost',
    });
    const [, first] = within(table).getAllByRole('row');
    expect(first).toHaveTextContent(/^Build9 h.*6.*9$/);
    expect(
      screen.getByText(
        'A category appears once a week when at least 2 people have reported it.',
      ),
    ).toBeVisible();

    await user.click(within(table).getByRole('link', { name: 'Build' }));
    expect(address()).toBe(
      '/experience/friction/build?team=payments&sort=-time',
    );
    const panel = await screen.findByRole('complementary', { name: 'Build' });
    expect(within(table).getByRole('row', { selected: true })).toBe(first);
    expect(panel).toHaveTextContent(
      'The cache of the build was empty all morning',
    );
    await user.click(within(panel).getByRole('button', { name: 'Close' }));
    expect(address()).toBe('/experience/friction?team=payments&sort=-time');
  });

  it('does not show the friction of another period while one loads', async () => {
    const api = new FakeSpaceApi();
    const { user } = renderPlugin({ api, path: '/experience/friction' });
    await screen.findByRole('link', { name: 'Build' });
    api.getTopFriction = () => new Promise(() => {});
    await user.click(screen.getByRole('button', { name: /30 days/ }));
    await user.click(
      await screen.findByRole('option', { name: 'Last 90 days' }),
    );
    await waitFor(() =>
      expect(screen.queryByRole('link', { name: 'Build' })).toBeNull(),
    );
  });

  it('encodes a category in its address, so that it can be loaded again', async () => {
    const api = new FakeSpaceApi();
    const [first, ...others] = api.friction.items;
    api.friction = {
      ...api.friction,
      items: [{ ...first, category: '%' }, ...others],
    };
    const { user, address } = renderPlugin({
      api,
      path: '/experience/friction',
    });
    await user.click(await screen.findByRole('link', { name: '%' }));
    expect(address()).toBe('/experience/friction/%25');
    expect(
      await screen.findByRole('complementary', { name: '%' }),
    ).toBeVisible();
  });

  it('shows a failure once, though a category is open', async () => {
    const api = new FakeSpaceApi();
    await api.refuse('getTopFriction', { status: 400, message: 'Bad' });
    renderPlugin({ api, path: '/experience/friction/build' });
    expect(await screen.findByText("Couldn't load friction")).toBeVisible();
    expect(screen.queryByRole('complementary')).toBeNull();
  });

  it('logs friction, after asking for missing input', async () => {
    const api = new FakeSpaceApi();
    const { user } = renderPlugin({ api, path: '/experience/friction' });
    await user.click(
      await screen.findByRole('button', { name: 'Log friction' }),
    );
    const dialog = await screen.findByRole('dialog', { name: 'Log friction' });
    const send = within(dialog).getByRole('button', { name: 'Log friction' });
    await user.click(send);
    expect(dialog).toHaveTextContent(
      'Describe in a few words what got in the way',
    );
    expect(dialog).toHaveTextContent('Enter the minutes lost');

    await user.type(
      within(dialog).getByRole('textbox', { name: 'What got in the way' }),
      'Flaky test',
    );
    await user.click(within(dialog).getByRole('button', { name: '30 min' }));
    await user.click(within(dialog).getByRole('radio', { name: 'High' }));
    await user.click(send);

    expect(
      await within(dialog).findByText(/^Build, 30 min\. It counts/),
    ).toBeVisible();
    expect(api.frictionLogs).toEqual([
      {
        category: 'build',
        description: 'Flaky test',
        severity: 'high',
        minutesLost: 30,
      },
    ]);
    expect(await within(dialog).findByText('9 h, 6 people')).toBeVisible();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});
