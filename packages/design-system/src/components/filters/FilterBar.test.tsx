import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { FilterBar } from './FilterBar';
import { useUrlFilters } from './useUrlFilters';

function Query() {
  return <p data-testid="query">{useLocation().search}</p>;
}

function List() {
  const filters = useUrlFilters({ q: '', status: '' });
  return (
    <FilterBar
      filters={filters}
      search={{ key: 'q', label: 'Search workspaces' }}
      selects={[
        {
          key: 'status',
          label: 'Status',
          anyLabel: 'Any status',
          options: [{ value: 'Running', label: 'Running' }],
        },
      ]}
      count={{ shown: 1, total: 12, noun: ['workspace', 'workspaces'] }}
    />
  );
}

function renderAt(url: string) {
  render(
    <MemoryRouter initialEntries={[url]}>
      <List />
      <Query />
    </MemoryRouter>,
  );
  return () => screen.getByTestId('query').textContent;
}

describe('FilterBar', () => {
  it('reads the URL and announces the count', () => {
    renderAt('/?q=api&status=Running&tab=mine');
    expect(screen.getByRole('searchbox')).toHaveValue('api');
    expect(screen.getByRole('button', { name: /Status/ })).toHaveTextContent(
      'Running',
    );
    expect(screen.getByRole('status')).toHaveTextContent('1 of 12 workspaces');
  });

  it('writes typed and selected values into the URL', async () => {
    const query = renderAt('/');
    expect(screen.queryByRole('button', { name: 'Clear' })).toBeNull();

    await userEvent.type(screen.getByRole('searchbox'), 'api');
    expect(query()).toBe('?q=api');

    await userEvent.click(screen.getByRole('button', { name: /Status/ }));
    await userEvent.click(screen.getByRole('option', { name: 'Running' }));
    expect(query()).toBe('?q=api&status=Running');
  });

  it('clears only its own parameters', async () => {
    const query = renderAt('/?q=api&status=Running&tab=mine');
    await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
    expect(query()).toBe('?tab=mine');
  });
});
