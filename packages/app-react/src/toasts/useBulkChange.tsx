import {
  toastApiRef,
  useApi,
  useApiHolder,
} from '@backstage/frontend-plugin-api';
import { useErrorWords } from '../failures/failures';
import { reloadAll } from '../queries/clientsOfApp';
import { TOAST_MS, useUndoToast } from './toastWithButton';

/** Maximum number of changes that are sent at the same time. */
const AT_ONCE = 6;

/** A change to several rows of a list. */
interface BulkChange<T> {
  /** Changes one row. */
  change(row: T): Promise<unknown>;
  /** Says how many rows were changed: "3 flags archived". */
  done(count: number): string;
  /** Says how many rows could not be changed: "Couldn't archive 2 flags". */
  failed(count: number): string;
  /** Changes a row back; without it, the change cannot be undone. */
  undo?(row: T): Promise<unknown>;
}

/**
 * Returns a function that changes several rows of a list, and reports in toasts how many were
 * changed, with Undo if possible, and how many were not, with the first reason. It never rejects:
 * some rows may have changed when others fail.
 */
export function useBulkChange(): <T>(
  rows: readonly T[],
  bulk: BulkChange<T>,
) => Promise<void> {
  const app = useApiHolder();
  const toastApi = useApi(toastApiRef);
  const undoToast = useUndoToast();
  const errorWords = useErrorWords();
  return async (rows, { change, done, failed, undo }) => {
    const report = (errors: readonly unknown[]) => {
      reloadAll(app);
      if (errors.length > 0) {
        toastApi.post({
          title: failed(errors.length),
          description: errorWords(errors[0]),
          status: 'danger',
        });
      }
    };
    const { changed, errors } = await changeEach(rows, change);
    const title = done(changed.length);
    if (changed.length > 0 && undo) {
      undoToast(title, () => {
        void changeEach(changed, undo).then(result => report(result.errors));
      });
    } else if (changed.length > 0) {
      toastApi.post({ title, status: 'success', timeout: TOAST_MS });
    }
    // Last, as the newest message is on top.
    report(errors);
  };
}

/**
 * Changes rows, {@link AT_ONCE} at a time. Returns the rows that were changed, and the errors of
 * the others.
 */
async function changeEach<T>(
  rows: readonly T[],
  change: (row: T) => Promise<unknown>,
): Promise<{ changed: T[]; errors: unknown[] }> {
  const changed: T[] = [];
  const errors: unknown[] = [];
  for (let start = 0; start < rows.length; start += AT_ONCE) {
    const some = rows.slice(start, start + AT_ONCE);
    const results = await Promise.allSettled(some.map(change));
    results.forEach((result, index) => {
      if (result.status === 'fulfilled') {
        changed.push(some[index]);
      } else {
        errors.push(result.reason);
      }
    });
  }
  return { changed, errors };
}
