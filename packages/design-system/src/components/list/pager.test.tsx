import { useState } from 'react';
import {
  act,
  render as renderElement,
  renderHook,
  screen,
} from '@testing-library/react';
import userEvent from '@testing-library/user-event';
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

  it('shows another page from its top, and says which one it is', async () => {
    function Host() {
      const [page, setPage] = useState(1);
      return (
        <div data-testid="list">
          <Pager
            label="Jobs"
            page={page}
            perPage={50}
            total={120}
            onChange={setPage}
          />
        </div>
      );
    }
    renderElement(<Host />);
    const list = screen.getByTestId('list');
    list.getBoundingClientRect = () => new DOMRect(0, -400);
    list.scrollIntoView = vi.fn();
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    expect(list.scrollIntoView).toHaveBeenCalledOnce();
    const position = screen.getByText('Page 2 of 3');
    expect(position).toHaveAttribute('aria-live', 'polite');
  });
});
