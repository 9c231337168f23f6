import { useRef, useState } from 'react';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Button } from '@backstage/ui';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { ConfirmDialog } from '../dialog/ConfirmDialog';
import { type DataColumn, useUrlColumns } from './DataColumn';
import { DataTable } from './DataTable';
import { useFocusNearby } from './focusNearby';
import { formatNames } from './TableTools';
import { toCsv } from './toCsv';

interface Service {
  name: string;
  tier: number | null;
  note?: string;
}

const SERVICES: Service[] = [
  { name: 'api', tier: 1, note: 'the "first", of two' },
  { name: 'web', tier: null, note: '=HYPERLINK("x")' },
];

const COLUMNS: DataColumn<Service>[] = [
  { id: 'name', label: 'Name', text: row => row.name, cell: row => row.name },
  {
    id: 'tier',
    label: 'Tier',
    isNumber: true,
    sortBy: row => row.tier,
    cell: row => row.tier ?? '–',
  },
  {
    id: 'note',
    label: 'Note',
    isExtra: true,
    csv: row => row.note,
    cell: row => row.note,
  },
  {
    id: 'star',
    label: 'Star',
    cell: () => <button type="button">Star</button>,
  },
];

const run = vi.fn();

function Services({ rows = SERVICES }: { rows?: Service[] }) {
  return (
    <>
      <DataTable
        label="Services"
        columns={COLUMNS}
        rows={rows}
        rowId={row => row.name}
        columnChoice={useUrlColumns()}
        bulk={[
          { id: 'star', label: 'Star', run },
          {
            id: 'delete',
            label: 'Delete',
            isFor: ({ tier }) => tier !== 1,
            confirm: ([{ name }]) => ({
              title: `Delete ${name}?`,
              label: 'Delete service',
              text: 'Its history is lost.',
            }),
            run,
          },
        ]}
        exportAs="services"
      />
      <output>{useLocation().search}</output>
    </>
  );
}

const renderServices = (rows?: Service[], search = '') =>
  render(
    <MemoryRouter initialEntries={[`/${search}`]}>
      <Services rows={rows} />
    </MemoryRouter>,
  );

const heads = () =>
  screen.getAllByRole('columnheader').map(head => head.textContent);
const address = () => document.querySelector('output')?.textContent;

beforeEach(() => run.mockReset());

it('shows the chosen columns, and stores them in the address', async () => {
  renderServices();
  expect(heads()).toEqual(['', 'Name', 'Tier', 'Star']);
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }));
  await userEvent.click(screen.getByRole('option', { name: 'Note' }));
  expect(address()).toBe('?columns=name%2Ctier%2Cnote%2Cstar');
  await userEvent.click(screen.getByRole('option', { name: 'Note' }));
  // The default columns are not part of the address.
  expect(address()).toBe('');
});

it('keeps the chosen columns when Escape closes the menu', async () => {
  renderServices();
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }));
  await userEvent.click(screen.getByRole('option', { name: 'Note' }));
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('option', { name: 'Note' })).toBeNull();
  expect(address()).toBe('?columns=name%2Ctier%2Cnote%2Cstar');
});

it('shows the columns in the address, and always the one that names the row', () => {
  renderServices(SERVICES, '?columns=note,weather');
  expect(heads()).toEqual(['', 'Name', 'Note']);
});

it('runs an action on the selected rows, and then clears the selection', async () => {
  renderServices();
  expect(screen.queryByRole('toolbar')).toBeNull();
  const row = screen.getByRole('row', { name: /web/ });
  await userEvent.click(within(row).getByRole('checkbox'));
  const tools = screen.getByRole('toolbar', { name: 'Selected rows' });
  expect(tools).toHaveTextContent('1 selected');
  await userEvent.click(within(tools).getByRole('button', { name: 'Star' }));
  expect(run).toHaveBeenCalledWith([SERVICES[1]]);
  await waitFor(() => expect(screen.queryByRole('toolbar')).toBeNull());
});

it('asks before an action that cannot be undone, on the rows that it is for', async () => {
  renderServices();
  const select = async (name: RegExp) =>
    userEvent.click(
      within(screen.getByRole('row', { name })).getByRole('checkbox'),
    );
  const remove = () => screen.getByRole('button', { name: 'Delete' });
  await select(/api/);
  expect(remove()).toBeDisabled();
  await select(/web/);
  await userEvent.click(remove());
  expect(run).not.toHaveBeenCalled();
  const dialog = screen.getByRole('dialog', { name: 'Delete web?' });
  await userEvent.click(
    within(dialog).getByRole('button', { name: 'Delete service' }),
  );
  expect(run).toHaveBeenCalledWith([SERVICES[1]]);
  await waitFor(() => expect(screen.queryByRole('toolbar')).toBeNull());
});

it('renders only the rows in view, and selects all rows', async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => ({
    name: `service-${index}`,
    tier: index,
  }));
  renderServices(many);
  expect(screen.getAllByRole('row').length).toBeLessThan(100);
  expect(screen.getByRole('grid')).toHaveAttribute('aria-rowcount', '10001');
  expect(screen.getAllByRole('row')[2]).toHaveAttribute('aria-rowindex', '3');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
  expect(screen.getByRole('toolbar')).toHaveTextContent('10000 selected');
  const [, first] = screen.getAllByRole('row');
  await userEvent.click(within(first).getByRole('checkbox'));
  expect(screen.getByRole('toolbar')).toHaveTextContent('9999 selected');
});

it('writes files that spreadsheets read unchanged', () => {
  expect(toCsv(SERVICES, COLUMNS)).toBe(
    'Name,Tier,Note\r\n' +
      'api,1,"the ""first"", of two"\r\n' +
      `web,,"'=HYPERLINK(""x"")"\r\n`,
  );
});

it.each([
  [['a', 'b'], 'a and b'],
  [Array.from({ length: 13 }, (_, index) => `s${index}`), 's9 and 3 more'],
])('names the rows %j', (names, end) => {
  expect(formatNames(names)).toMatch(new RegExp(`${end}$`));
});

/** Services that can be deleted after confirmation, one by one or several at once. */
function Deletable() {
  const [rows, setRows] = useState(['a', 'b', 'c'].map(name => ({ name })));
  const [asked, setAsked] = useState<string>();
  const remove = (names: readonly string[]) =>
    setRows(rows.filter(({ name }) => !names.includes(name)));
  return (
    <main>
      <DataTable
        label="Services"
        rows={rows}
        rowId={({ name }) => name}
        bulk={[
          {
            id: 'delete',
            label: 'Delete all',
            run: some => remove(some.map(({ name }) => name)),
          },
        ]}
        empty={<p>No services</p>}
        columns={[
          { id: 'name', label: 'Name', cell: ({ name }) => name },
          {
            id: 'delete',
            label: 'Delete',
            cell: ({ name }) => (
              <Button onPress={() => setAsked(name)}>Delete {name}</Button>
            ),
          },
        ]}
      />
      <ConfirmDialog
        isOpen={asked !== undefined}
        onOpenChange={isOpen => !isOpen && setAsked(undefined)}
        title="Delete?"
        confirmLabel="Delete service"
        onConfirm={async () => remove([asked!])}
      >
        Its history is lost.
      </ConfirmDialog>
    </main>
  );
}

it('keeps the focus near a deleted row', async () => {
  render(
    <MemoryRouter>
      <Deletable />
    </MemoryRouter>,
  );
  const remove = async (name: string) => {
    await userEvent.click(
      screen.getByRole('button', { name: `Delete ${name}` }),
    );
    await userEvent.click(
      await screen.findByRole('button', { name: 'Delete service' }),
    );
  };
  const row = (name: string) => screen.getByRole('row', { name });
  await remove('b');
  await waitFor(() => expect(row('c')).toHaveFocus());
  await remove('c');
  await waitFor(() => expect(row('a')).toHaveFocus());
  await remove('a');
  await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
});

it('moves the focus to the table after an action on several rows', async () => {
  render(
    <MemoryRouter>
      <Deletable />
    </MemoryRouter>,
  );
  const row = (name: string) => screen.getByRole('row', { name });
  await userEvent.click(within(row('b')).getByRole('checkbox'));
  await userEvent.click(screen.getByRole('button', { name: 'Delete all' }));
  await waitFor(() =>
    expect(screen.getByRole('grid')).toContainElement(
      document.activeElement as HTMLElement,
    ),
  );
});

it('moves the focus to the table after the selection is cleared', async () => {
  render(
    <MemoryRouter>
      <Deletable />
    </MemoryRouter>,
  );
  const row = screen.getByRole('row', { name: 'b' });
  await userEvent.click(within(row).getByRole('checkbox'));
  await userEvent.click(screen.getByRole('button', { name: /^Clear/ }));
  await waitFor(() =>
    expect(screen.getByRole('grid')).toContainElement(
      document.activeElement as HTMLElement,
    ),
  );
});

/** Names with a button each, and a note below. */
function Names({ names }: { names: readonly string[] }) {
  const list = useRef<HTMLUListElement>(null);
  useFocusNearby(list);
  return (
    <main>
      <ul ref={list}>
        {names.map(name => (
          <li key={name}>
            <button>Edit {name}</button>
            <button disabled>Delete {name}</button>
          </li>
        ))}
      </ul>
      <p>A note</p>
    </main>
  );
}

it('focuses a button that can be pressed', async () => {
  const { rerender } = render(<Names names={['a', 'b']} />);
  await userEvent.click(screen.getByRole('button', { name: 'Edit a' }));
  rerender(<Names names={['b']} />);
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Edit b' })).toHaveFocus(),
  );
});

it('leaves the focus after a click outside the list', async () => {
  const { rerender } = render(<Names names={['a', 'b']} />);
  await userEvent.click(screen.getByRole('button', { name: 'Edit a' }));
  await userEvent.click(screen.getByText('A note'));
  rerender(<Names names={['b']} />);
  await new Promise(resolve => requestAnimationFrame(resolve));
  expect(document.body).toHaveFocus();
});
