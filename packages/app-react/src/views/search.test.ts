import { act, renderHook } from '@testing-library/react';
import { useSearched, useSearchedWords } from './search';

it('searches for words once typing has stopped', () => {
  vi.useFakeTimers();
  try {
    const { result, rerender } = renderHook(text => useSearchedWords(text), {
      initialProps: 'shop',
    });
    expect(result.current).toBe('shop');
    const type = (text: string, ms: number) => {
      rerender(text);
      act(() => void vi.advanceTimersByTime(ms));
    };
    type('shop c', 100);
    type('shop ca', 100);
    expect(result.current).toBe('shop');
    type('shop car ', 200);
    expect(result.current).toBe('shop car');
    // Clearing does not count as typing.
    type('', 0);
    expect(result.current).toBe('');
  } finally {
    vi.useRealTimers();
  }
});

it('holds everything else while words are typed, as the page of another search', () => {
  vi.useFakeTimers();
  try {
    const shop = { q: 'shop', status: '', page: 1 };
    const { result, rerender } = renderHook(query => useSearched(query), {
      initialProps: shop,
    });
    const show = (query: typeof shop, ms: number) => {
      rerender(query);
      act(() => void vi.advanceTimersByTime(ms));
    };
    // Going back from one search to another.
    const cart = { q: 'cart', status: 'new', page: 3 };
    show(cart, 199);
    expect(result.current).toEqual(shop);
    show(cart, 1);
    expect(result.current).toEqual(cart);
    show({ ...cart, page: 2 }, 0);
    expect(result.current).toEqual({ ...cart, page: 2 });
    show({ ...cart, q: '', page: 9 }, 0);
    expect(result.current).toEqual({ ...cart, q: '', page: 9 });
  } finally {
    vi.useRealTimers();
  }
});
