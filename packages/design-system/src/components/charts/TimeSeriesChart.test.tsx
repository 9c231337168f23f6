import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { SidePanel } from '../list/ListAndPanel';
import { SeriesTable } from './SeriesTable';
import { type ChartPoint, TimeSeriesChart } from './TimeSeriesChart';

const points: ChartPoint[] = [
  {
    id: 'a',
    label: '2 to 8 November',
    tick: '2 Nov',
    value: 3,
    valueText: '3 a week',
    href: '/deployments?period=a',
  },
  {
    id: 'b',
    label: '9 to 15 November',
    tick: '9 Nov',
    value: null,
    valueText: 'No data',
    href: '/deployments?period=b',
  },
  {
    id: 'c',
    label: '16 to 21 November',
    tick: '16 Nov',
    value: 4,
    valueText: '4 a week',
    notes: ['may still change'],
    tentative: true,
    href: '/deployments?period=c',
  },
];

function Address() {
  const { pathname, search } = useLocation();
  return <output data-testid="address">{pathname + search}</output>;
}

function renderChart() {
  render(
    <MemoryRouter>
      <TimeSeriesChart
        label="Deployments by week"
        kind="line"
        points={points}
        formatTick={String}
      />
      <SeriesTable
        label="Deployments by week"
        points={points}
        columns={{ time: 'Week', value: 'Deployments', notes: 'Notes' }}
        hidden
      />
      <Address />
    </MemoryRouter>,
  );
  return within(screen.getByRole('group', { name: 'Deployments by week' }));
}

describe('TimeSeriesChart', () => {
  it('is a single tab stop, and arrow keys move between its points', async () => {
    const chart = renderChart();
    await userEvent.tab();
    const last = chart.getByRole('link', {
      name: '16 to 21 November: 4 a week, may still change',
    });
    expect(last).toHaveFocus();

    await userEvent.keyboard('{ArrowLeft}');
    expect(
      chart.getByRole('link', { name: '9 to 15 November: No data' }),
    ).toHaveFocus();
    await userEvent.keyboard('{Home}{ArrowLeft}');
    expect(
      chart.getByRole('link', { name: '2 to 8 November: 3 a week' }),
    ).toHaveFocus();

    await userEvent.tab();
    expect(document.body).toHaveFocus();
  });

  it('shows the tooltip of the point under the pointer, until Escape', async () => {
    const chart = renderChart();
    expect(chart.queryByText('4 a week')).toBeNull();
    await userEvent.tab();
    expect(chart.getByText('4 a week')).toBeInTheDocument();
    await userEvent.keyboard('{Escape}');
    expect(chart.queryByText('4 a week')).toBeNull();
  });

  it('hides the tooltip before Escape closes a panel around the chart', async () => {
    const onClose = vi.fn();
    render(
      <MemoryRouter>
        <SidePanel title="Deployments" onClose={onClose}>
          <TimeSeriesChart
            label="By week"
            kind="line"
            points={points}
            formatTick={String}
          />
        </SidePanel>
      </MemoryRouter>,
    );
    act(() =>
      screen.getByRole('link', { name: '9 to 15 November: No data' }).focus(),
    );
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByText('No data')).toBeNull();
    expect(onClose).not.toHaveBeenCalled();
    await userEvent.keyboard('{Escape}');
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('opens the data of a point with Enter', async () => {
    renderChart();
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    expect(screen.getByTestId('address')).toHaveTextContent(
      '/deployments?period=c',
    );
  });
});

describe('SeriesTable', () => {
  it('has the points as rows and, if hidden, no focusable elements', () => {
    renderChart();
    const table = screen.getByRole('table', { name: 'Deployments by week' });
    const rows = within(table).getAllByRole('row');
    expect(rows.map(row => row.textContent)).toEqual([
      'WeekDeploymentsNotes',
      '16 to 21 November4 a weekmay still change',
      '9 to 15 NovemberNo data',
      '2 to 8 November3 a week',
    ]);
    expect(within(table).queryByRole('link')).toBeNull();
  });

  it('draws negative values from the bottom of the scale', () => {
    render(
      <MemoryRouter>
        <TimeSeriesChart
          label="Score"
          kind="line"
          points={[{ ...points[0], value: -50 }]}
          ticks={[-100, 0, 100]}
          formatTick={String}
        />
      </MemoryRouter>,
    );
    const point = screen.getByRole('link', { name: /^2 to 8 November/ });
    expect(point.style.getPropertyValue('--slw-at')).toBe('0.25');
  });
});
