import { storageApiRef } from '@backstage/frontend-plugin-api';
import { mockApis, renderInTestApp } from '@backstage/frontend-test-utils';
import { SearchField } from '@backstage/ui';
import { type InstalledSource, paletteApiRef } from '@slipway/app-react';
import { failAtOnce } from '@slipway/test-pages';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'react-router-dom';
import { PaletteButton } from './PaletteButton';
import { ShortcutsDialog } from './ShortcutsDialog';

const PAGES = [
  { letter: 'C', title: 'Catalog', href: '/catalog' },
  { letter: 'B', title: 'Builds', href: '/builds' },
];

const PORTAL: InstalledSource = {
  id: 'portal',
  title: 'Portal',
  icon: <svg />,
  order: 1,
  isScope: true,
  load: async () => () => ({
    list: async () => [
      {
        id: 'shortcuts',
        title: 'Keyboard shortcuts',
        kind: 'Action',
        act: { type: 'dialog', dialog: 'shortcuts' },
      },
    ],
  }),
  dialogs: { shortcuts: ShortcutsDialog },
};

const Address = () => (
  <output aria-label="Address">{useLocation().pathname}</output>
);

async function renderButton(dialogs?: 'dialog') {
  renderInTestApp(
    <>
      <PaletteButton pages={PAGES} />
      <Address />
      <input aria-label="Name" />
      <SearchField aria-label="Search jobs" />
      <div contentEditable role="textbox" aria-label="Text" tabIndex={0} />
      <select aria-label="Choice">
        <option>Good</option>
      </select>
      <div role="menu" tabIndex={0} aria-label="Menu" />
      {dialogs && (
        <div role="dialog" aria-label="Other">
          <button type="button">Inside</button>
        </div>
      )}
    </>,
    {
      apis: [[paletteApiRef, { sources: () => [PORTAL] }], failAtOnce],
    },
  );
  await screen.findByRole('button', { name: 'Search' });
  return userEvent.setup();
}

const address = () => screen.getByLabelText('Address').textContent;
const help = () => screen.queryByRole('dialog', { name: 'Keyboard shortcuts' });
const palette = () => screen.queryByRole('dialog', { name: 'Search' });

it('opens the palette with / as with Ctrl K, ready to type', async () => {
  const user = await renderButton();
  await user.keyboard('/');
  const field = await screen.findByRole('combobox', { name: 'Search' });
  await waitFor(() => expect(field).toHaveFocus());
  expect(field).toHaveValue('');
  await user.keyboard('a/b?gb');
  expect(field).toHaveValue('a/b?gb');
  expect(address()).toBe('/');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(palette()).toBeNull());
  await user.keyboard('{Control>}k{/Control}');
  expect(await screen.findByRole('combobox', { name: 'Search' })).toHaveValue(
    '',
  );
});

it('opens the palette with Ctrl K from a field that keeps its keys', async () => {
  const user = await renderButton();
  screen.getByRole('searchbox', { name: 'Search jobs' }).focus();
  await user.keyboard('{Control>}k{/Control}');
  const field = await screen.findByRole('combobox', { name: 'Search' });
  await waitFor(() => expect(field).toHaveFocus());
  await user.keyboard('{Control>}k{/Control}');
  await waitFor(() => expect(palette()).toBeNull());
});

it('opens a page with G and its letter, but not with the letter alone or after a pause', async () => {
  const user = await renderButton();
  await user.keyboard('c');
  expect(address()).toBe('/');
  await user.keyboard('gxc');
  expect(address()).toBe('/');
  const now = vi.spyOn(Date, 'now');
  await user.keyboard('g');
  now.mockReturnValue(Date.now() + 5_000);
  await user.keyboard('c');
  now.mockRestore();
  expect(address()).toBe('/');
  await user.keyboard('gc');
  expect(address()).toBe('/catalog');
  await user.keyboard('gb');
  expect(address()).toBe('/builds');
});

it.each(['Name', 'Text', 'Choice', 'Menu'])(
  'leaves keys typed in "%s" alone',
  async label => {
    const user = await renderButton();
    screen.getByLabelText(label).focus();
    await user.keyboard('gc/?');
    expect(address()).toBe('/');
    expect(palette()).toBeNull();
    expect(help()).toBeNull();
  },
);

it('leaves keys with modifier keys alone', async () => {
  const user = await renderButton();
  await user.keyboard('g{Control>}c{/Control}g{Alt>}c{/Alt}g{Meta>}c{/Meta}');
  await user.keyboard('{Control>}/{/Control}{Alt>}?{/Alt}');
  expect(address()).toBe('/');
  expect(palette()).toBeNull();
  expect(help()).toBeNull();
});

it('leaves keys alone while a dialog is open', async () => {
  const user = await renderButton('dialog');
  screen.getByRole('button', { name: 'Inside' }).focus();
  await user.keyboard('gc/?');
  expect(address()).toBe('/');
  expect(palette()).toBeNull();
  expect(help()).toBeNull();
});

it('lists the shortcuts with ?, and turns those of single keys off and on', async () => {
  const user = await renderButton();
  await user.keyboard('?');
  const dialog = await screen.findByRole('dialog', {
    name: 'Keyboard shortcuts',
  });
  const pages = within(dialog).getByRole('region', { name: 'Go to a page' });
  expect(pages).toHaveTextContent('CatalogG C');
  expect(pages).toHaveTextContent('BuildsG B');
  expect(dialog).toHaveTextContent('Open search and commandsCtrl K');
  await user.click(
    within(dialog).getByRole('switch', { name: /without Ctrl/ }),
  );
  await user.keyboard('{Escape}');
  await waitFor(() => expect(help()).toBeNull());

  await user.keyboard('gc/?');
  expect(address()).toBe('/');
  expect(palette()).toBeNull();
  expect(help()).toBeNull();

  await user.keyboard('{Control>}k{/Control}');
  await user.click(
    await screen.findByRole('option', { name: /Keyboard shortcuts/ }),
  );
  await user.click(await screen.findByRole('switch', { name: /without Ctrl/ }));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(help()).toBeNull());
  await user.keyboard('gc');
  expect(address()).toBe('/catalog');
});

it('offers recent pages again, except those that their source knows are gone', async () => {
  const jobs: InstalledSource = {
    ...PORTAL,
    id: 'jobs',
    title: 'Jobs',
    load: async () => () => ({
      list: async () => [
        {
          id: 'listed',
          title: 'Listed',
          kind: 'Job',
          act: { type: 'open', href: '/listed' },
        },
      ],
      isGone: id => id !== 'unlisted',
    }),
  };
  const recent = ['gone', 'unlisted', 'listed'].map(id => ({
    source: 'jobs',
    id,
    title: `Stored ${id}`,
    kind: 'Job',
    href: `/${id}`,
    at: Date.now(),
    times: 1,
  }));
  const storage = mockApis.storage();
  await storage.forBucket('slipway.palette').set('recent', recent);
  renderInTestApp(<PaletteButton pages={PAGES} />, {
    apis: [
      [paletteApiRef, { sources: () => [PORTAL, jobs] }],
      [storageApiRef, storage],
      failAtOnce,
    ],
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Search' }));
  expect(await screen.findByRole('option', { name: /^Listed/ })).toBeVisible();
  expect(screen.getByRole('option', { name: /Stored unlisted/ })).toBeVisible();
  expect(screen.queryByRole('option', { name: /Stored gone/ })).toBeNull();
});
