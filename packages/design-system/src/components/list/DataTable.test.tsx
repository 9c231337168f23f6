import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router-dom';
import type { DataColumn } from './DataColumn';
import { DataTable } from './DataTable';
import { ListAndPanel, SidePanel } from './ListAndPanel';
import { formatOrder, parseOrder, sortRows, useUrlSort } from './sorting';

interface Job {
  name: string;
  seconds: number | null;
}

const JOBS: Job[] = [
  { name: 'job10', seconds: 5 },
  { name: 'job9', seconds: null },
  { name: 'job1', seconds: 90 },
];

const COLUMNS: DataColumn<Job>[] = [
  {
    id: 'name',
    label: 'Job',
    text: job => job.name,
    cell: job => <a href={`#${job.name}`}>{job.name}</a>,
    sortBy: job => job.name,
  },
  {
    id: 'duration',
    label: 'Duration',
    cell: job => job.seconds && `${job.seconds} s`,
    sortBy: job => job.seconds,
    beside: false,
  },
];

const common = {
  label: 'Jobs',
  columns: COLUMNS,
  rowId: (job: Job) => job.name,
};

function names(): (string | null)[] {
  const [, ...rows] = screen.getAllByRole('row');
  return rows.map(row => within(row).getByRole('rowheader').textContent);
}

describe('sorting', () => {
  it.each([
    ['name', ['job1', 'job9', 'job10']],
    ['-name', ['job10', 'job9', 'job1']],
    ['duration', ['job10', 'job1', 'job9']],
    ['-duration', ['job1', 'job10', 'job9']],
    ['weather', ['job10', 'job9', 'job1']],
  ])('by %j puts rows without a value last', (text, expected) => {
    const order = parseOrder(text, ['name', 'duration']);
    expect(sortRows(JOBS, COLUMNS, order).map(job => job.name)).toEqual(
      expected,
    );
  });

  it('leaves the fallback out of the address', () => {
    const fallback = { column: 'name', direction: 'ascending' } as const;
    expect(parseOrder('', ['name'], fallback)).toBe(fallback);
    expect(formatOrder(fallback, fallback)).toBe('');
    expect(formatOrder({ column: 'name', direction: 'descending' })).toBe(
      '-name',
    );
  });
});

describe('DataTable', () => {
  it('sorts by the clicked header, and stores it in the address', async () => {
    function Sorted() {
      const sort = useUrlSort(['name', 'duration']);
      return (
        <>
          <DataTable {...common} rows={JOBS} sort={sort} />
          <output>{useLocation().search}</output>
        </>
      );
    }
    render(
      <MemoryRouter>
        <Sorted />
      </MemoryRouter>,
    );
    expect(names()).toEqual(['job10', 'job9', 'job1']);
    await userEvent.click(
      screen.getByRole('columnheader', { name: /Duration/ }),
    );
    expect(names()).toEqual(['job10', 'job1', 'job9']);
    expect(screen.getByRole('status')).toHaveTextContent('?sort=duration');
    expect(
      screen.getByRole('columnheader', { name: /Duration/ }),
    ).toHaveAttribute('aria-sort', 'ascending');
  });

  it('highlights the open row, and hides columns next to its panel', () => {
    const { rerender } = render(<DataTable {...common} rows={JOBS} />);
    expect(screen.getAllByRole('columnheader')).toHaveLength(2);
    expect(screen.queryByRole('row', { selected: true })).toBeNull();

    rerender(<DataTable {...common} rows={JOBS} selectedId="job9" />);
    expect(screen.getAllByRole('columnheader')).toHaveLength(1);
    expect(screen.getByRole('row', { selected: true })).toHaveTextContent(
      'job9',
    );
  });

  it('renders cells again when the window becomes narrow or wide', () => {
    const columns: DataColumn<Job>[] = [
      {
        ...COLUMNS[0],
        cell: ({ name, seconds }, { isNarrow }) =>
          isNarrow ? `${name}, ${seconds} s` : name,
      },
    ];
    render(<DataTable {...common} columns={columns} rows={[JOBS[0]]} />);
    expect(names()).toEqual(['job10']);
    act(() => window.setWide(false));
    expect(names()).toEqual(['job10, 5 s']);
    act(() => window.setWide(true));
    expect(names()).toEqual(['job10']);
  });

  it('shows a text that may be cut in full on hover', () => {
    const text = 'Takes orders, and sends them to the warehouse';
    const description = { id: 'text', label: 'Description', cell: () => text };
    render(
      <DataTable
        {...common}
        columns={[COLUMNS[0], description]}
        rows={[JOBS[0]]}
      />,
    );
    expect(screen.getByTitle(text)).toHaveTextContent(text);
  });

  it('moves from row to row with the arrow keys, and opens one with Enter', async () => {
    const onOpen = vi.fn();
    render(<DataTable {...common} rows={JOBS} onOpen={onOpen} />);
    await userEvent.tab();
    await userEvent.keyboard('{ArrowDown}{Enter}');
    expect(onOpen).toHaveBeenCalledWith('job9');
  });

  it('shows that rows are loading, why there are none, and what failed', () => {
    const states = { loading: 'Loading jobs', empty: <p>No jobs yet</p> };
    const { rerender } = render(
      <DataTable {...common} {...states} rows={undefined} />,
    );
    expect(screen.getByRole('status')).toHaveTextContent('Loading jobs');
    rerender(<DataTable {...common} {...states} rows={[]} />);
    expect(screen.getByText('No jobs yet')).toBeVisible();
    rerender(
      <DataTable
        {...common}
        {...states}
        rows={undefined}
        failure={<p role="alert">No route to host</p>}
      />,
    );
    expect(screen.getByRole('alert')).toHaveTextContent('No route to host');
  });
});

it('returns the focus to the row when its panel closes', async () => {
  function Page({ isOpen }: { isOpen: boolean }) {
    return (
      <ListAndPanel
        panel={
          isOpen && (
            <SidePanel title="job9" onClose={() => {}}>
              90 s
            </SidePanel>
          )
        }
      >
        <a href="#job9">job9</a>
      </ListAndPanel>
    );
  }
  const { rerender } = render(<Page isOpen={false} />);
  screen.getByRole('link').focus();
  rerender(<Page isOpen />);
  expect(screen.getByRole('heading', { name: 'job9' })).toHaveFocus();
  rerender(<Page isOpen={false} />);
  expect(screen.getByRole('link')).toHaveFocus();
});
