import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';

/** Returns the initial address in the dialog, of a repository or a devfile. */
export function addressIn(params: URLSearchParams): string {
  return params.get('repository') ?? params.get('devfileUrl') ?? '';
}

/** The parameters of the dialog. For links in repositories, `repository` opens it without `create`. */
const DIALOG_PARAMS = ['create', 'devfileUrl', 'repository'];

/**
 * Keeps the state of the create dialog in the URL: `?create=1`, with an optional initial `devfileUrl`,
 * or `?repository=<address>`.
 */
export function useCreateDialog() {
  const [params, setParams] = useSearchParams();
  const open = useCallback(
    (devfileUrl?: string) =>
      setParams(before => {
        const after = withoutDialog(before);
        after.set('create', '1');
        if (devfileUrl) {
          after.set('devfileUrl', devfileUrl);
        }
        return after;
      }),
    [setParams],
  );
  const close = useCallback(
    () => setParams(withoutDialog, { replace: true }),
    [setParams],
  );
  return {
    isOpen: params.get('create') === '1' || params.has('repository'),
    devfileUrl: addressIn(params),
    open,
    close,
  };
}

function withoutDialog(params: URLSearchParams): URLSearchParams {
  const others = new URLSearchParams(params);
  DIALOG_PARAMS.forEach(name => others.delete(name));
  return others;
}
