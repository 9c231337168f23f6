import { act, renderHook } from '@testing-library/react';
import { useSearchedWords } from './search';

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
    // Clearing is no typing.
    type('', 0);
    expect(result.current).toBe('');
  } finally {
    vi.useRealTimers();
  }
});
