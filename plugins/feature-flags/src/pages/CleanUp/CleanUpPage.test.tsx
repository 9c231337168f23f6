import { screen, waitFor } from '@testing-library/react';
import { createFakeFlagsApi } from '../../__testUtils__/FakeFlagsApi';
import { renderPlugin } from '../../__testUtils__/renderPlugin';
import type { CleanUpFlag } from '../../api/cleanUp';

const path = '/flags/clean-up';

const candidate: CleanUpFlag = {
  name: 'checkout',
  project: 'default',
  type: 'release',
  stale: false,
  reasons: ['unused', 'on-everywhere'],
  owner: 'group:default/shop',
  lastUsedAt: '2026-09-20T10:00:00.000Z',
  environments: [],
  references: 2,
};

describe('CleanUpPage', () => {
  it('lists why flags can be removed, and filters by reason', async () => {
    const api = createFakeFlagsApi();
    api.cleanUp = [
      candidate,
      {
        ...candidate,
        name: 'old-search',
        reasons: ['stale'],
        owner: null,
        lastUsedAt: null,
        references: null,
      },
    ];
    const { user } = renderPlugin({ api, path });
    const row = async (name: RegExp) => screen.findByRole('row', { name });
    expect(await row(/^checkout/)).toHaveTextContent(
      /Unused.*On everywhere.*shop.*2/,
    );
    expect(await row(/^old-search/)).toHaveTextContent(
      /Stale.*Admins.*Never.*Not scanned/,
    );
    await user.click(screen.getByRole('button', { name: /Reasons/ }));
    await user.click(await screen.findByRole('option', { name: 'Stale' }));
    await waitFor(() =>
      expect(screen.queryByRole('row', { name: /^checkout/ })).toBeNull(),
    );
  });

  it('sorts by the titles of owners, and tells equal ones apart', async () => {
    const api = createFakeFlagsApi();
    const owners = ['group:default/a', 'group:default/b', 'group:shop/c'];
    api.cleanUp = owners.map((owner, index) => ({
      ...candidate,
      ...{ owner, name: `flag-${index}` },
    }));
    api.flags = api.cleanUp.map(({ name }) => ({ ...api.flags[0], name }));
    renderPlugin({
      ...{ api, path: `${path}?sort=owner` },
      titles: {
        'group:default/a': 'Warehouse',
        'group:default/b': 'Checkout',
        'group:shop/c': 'Warehouse',
      },
    });
    await screen.findByText('Warehouse (shop/c)');
    const rows = screen.getAllByRole('row', { name: /^flag/ });
    expect(rows.map(row => row.textContent?.slice(0, 6))).toEqual([
      'flag-1',
      'flag-0',
      'flag-2',
    ]);
  });

  it('opens an issue, marks a flag stale and archives it', async () => {
    const api = createFakeFlagsApi();
    api.cleanUp = [candidate];
    const { user } = renderPlugin({ api, path });
    const act = async (name: string) => {
      await user.click(
        await screen.findByRole('button', { name: 'Actions for checkout' }),
      );
      await user.click(await screen.findByRole('menuitem', { name }));
    };
    await act('Open an issue');
    expect(
      await screen.findByRole('link', { name: /Issue 7/ }),
    ).toHaveAttribute('href', 'http://localhost:8080/issues/7');
    await act('Mark stale');
    await waitFor(() => expect(api.flags[0].stale).toBe(true));
    await act('Archive');
    await user.click(
      await screen.findByRole('button', { name: 'Archive flag' }),
    );
    await waitFor(() => expect(api.flags[0].archived).toBe(true));
  });

  it('archives several flags after a confirmation, and undoes it', async () => {
    const api = createFakeFlagsApi();
    const [flag] = api.flags;
    api.cleanUp = [{ ...candidate, name: flag.name }];
    const { user } = renderPlugin({ api, path });
    await user.click(
      await screen.findByRole('checkbox', { name: 'Select all' }),
    );
    await user.click(screen.getByRole('button', { name: 'Archive' }));
    await user.click(
      await screen.findByRole('button', { name: 'Archive flag' }),
    );
    expect(await screen.findByText('1 flag archived')).toBeInTheDocument();
    expect(api.flags[0].archived).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(api.flags[0].archived).toBe(false));
  });

  it('says what will appear when there is nothing to remove', async () => {
    renderPlugin({ api: createFakeFlagsApi(), path });
    expect(await screen.findByText('Nothing to clean up')).toBeVisible();
  });
});
