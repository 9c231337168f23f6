import { useEffect, useState } from 'react';

/** What became of the last copy; back to `idle` after two seconds. */
export type CopyState = 'idle' | 'copied' | 'failed';

/** Copies text to the clipboard and says what became of it. */
export function useCopy(): { state: CopyState; copy(text: string): void } {
  const [state, setState] = useState<CopyState>('idle');
  useEffect(() => {
    if (state === 'idle') {
      return undefined;
    }
    const timer = setTimeout(() => setState('idle'), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (text: string) => {
    // There is no clipboard on an insecure origin.
    const written =
      navigator.clipboard?.writeText(text) ?? Promise.reject(new Error());
    written.then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  return { state, copy };
}
