import { renderHook } from '@testing-library/react';
import { useInOrder } from './useInOrder';

it('makes the changes with one key in order, and those with others at the same time', async () => {
  const { result } = renderHook(() => useInOrder());
  const begun: string[] = [];
  const waiting = new Map<string, (error?: Error) => void>();
  const change = (name: string, key?: string) =>
    result.current(
      () =>
        new Promise<string>((resolve, reject) => {
          begun.push(name);
          waiting.set(name, error => (error ? reject(error) : resolve(name)));
        }),
      key,
    );
  const first = change('first', 'a');
  const second = change('second', 'a');
  void change('other', 'b');
  void change('without a key');
  await vi.waitFor(() =>
    expect(begun).toEqual(['first', 'other', 'without a key']),
  );
  waiting.get('first')!(new Error('down'));
  await expect(first).rejects.toThrow('down');
  await vi.waitFor(() => expect(begun.at(-1)).toBe('second'));
  waiting.get('second')!();
  await expect(second).resolves.toBe('second');
});
