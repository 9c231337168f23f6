import {
  act,
  render as renderElement,
  renderHook,
} from '@testing-library/react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { Pager, usePagedFilters } from './Pager';

function render(address: string) {
  return renderHook(
    () => ({
      ...usePagedFilters({ q: '', status: '' }),
      search: useLocation().search,
    }),
    {
      wrapper: ({ children }) => (
        <MemoryRouter initialEntries={[address]}>{children}</MemoryRouter>
      ),
    },
  ).result;
}

describe('usePagedFilters', () => {
  it('returns to the first page when a filter changes, and when all are cleared', () => {
    const result = render('/?status=new&page=3&sort=name');
    expect(result.current.page).toBe(3);
    act(() => result.current.filters.set('q', 'late'));
    expect(result.current.search).toBe('?status=new&sort=name&q=late');
    act(() => result.current.setPage(2));
    act(() => result.current.filters.clear());
    expect(result.current.search).toBe('?sort=name');
  });

  it('does not count the page as a filter', () => {
    const result = render('/?page=2');
    expect(result.current.filters.isActive).toBe(false);
  });
});

describe('Pager', () => {
  it.each([
    [51, 2],
    [0, 1],
  ])('of %i rows goes from page 5 to the last, %i', (total, last) => {
    const onChange = vi.fn();
    renderElement(
      <Pager
        label="Jobs"
        page={5}
        perPage={50}
        total={total}
        onChange={onChange}
      />,
    );
    expect(onChange).toHaveBeenCalledExactlyOnceWith(last);
  });
});
