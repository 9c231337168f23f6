import { act, renderHook } from '@testing-library/react';
import { MemoryRouter, useLocation, useNavigate } from 'react-router-dom';
import { useUrlFilters } from './useUrlFilters';

const DEFAULTS = { from: '', to: '', period: '-30d' };

function render(address: string) {
  return renderHook(
    () => ({ filters: useUrlFilters(DEFAULTS), search: useLocation().search }),
    {
      wrapper: ({ children }) => (
        <MemoryRouter initialEntries={[address]}>{children}</MemoryRouter>
      ),
    },
  ).result;
}

describe('useUrlFilters', () => {
  it('sets several values as one change, and keeps other parameters', () => {
    const result = render('/?project=shop&from=2026-11-01&to=2026-11-03');
    act(() =>
      result.current.filters.setAll({ from: '', to: '', period: '-7d' }),
    );
    expect(result.current.search).toBe('?project=shop&period=-7d');
    expect(result.current.filters.values).toEqual({
      from: '',
      to: '',
      period: '-7d',
    });
  });

  it('removes a default value from the URL', () => {
    const result = render('/?period=-7d');
    expect(result.current.filters.isActive).toBe(true);
    act(() => result.current.filters.set('period', '-30d'));
    expect(result.current.search).toBe('');
    expect(result.current.filters.isActive).toBe(false);
  });

  it('can be gone back from where that is wanted', () => {
    const { result } = renderHook(
      () => ({
        filters: useUrlFilters({ q: '' }),
        selection: useUrlFilters({ user: '' }, { addsHistory: true }),
        navigate: useNavigate(),
        search: useLocation().search,
      }),
      {
        wrapper: ({ children }) => (
          <MemoryRouter initialEntries={['/before', '/']}>
            {children}
          </MemoryRouter>
        ),
      },
    );
    act(() => result.current.filters.set('q', 'ada'));
    act(() => result.current.selection.set('user', '7'));
    expect(result.current.search).toBe('?q=ada&user=7');
    act(() => result.current.navigate(-1));
    expect(result.current.search).toBe('?q=ada');
  });
});
