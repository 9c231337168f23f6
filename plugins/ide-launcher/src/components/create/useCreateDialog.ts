import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';

/** The create dialog's address: `?create=1`, with `devfileUrl` to begin with. */
export function useCreateDialog() {
  const [params, setParams] = useSearchParams();
  const open = useCallback(
    (devfileUrl?: string) =>
      setParams(before => {
        const after = new URLSearchParams(before);
        after.set('create', '1');
        after.delete('devfileUrl');
        if (devfileUrl) {
          after.set('devfileUrl', devfileUrl);
        }
        return after;
      }),
    [setParams],
  );
  const close = useCallback(
    () =>
      setParams(
        before => {
          const after = new URLSearchParams(before);
          after.delete('create');
          after.delete('devfileUrl');
          return after;
        },
        { replace: true },
      ),
    [setParams],
  );
  return {
    isOpen: params.get('create') === '1',
    devfileUrl: params.get('devfileUrl') ?? '',
    open,
    close,
  };
}
