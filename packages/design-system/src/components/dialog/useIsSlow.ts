import { useEffect, useState } from 'react';

/**
 * Time after which the user may stop waiting for a response, in milliseconds: most take far less.
 */
const PATIENCE_MS = 10_000;

/** Returns whether something has been pending for so long that its dialog must be closable. */
export function useIsSlow(isPending: boolean): boolean {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    if (!isPending) {
      return undefined;
    }
    const timer = setTimeout(() => setIsSlow(true), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      setIsSlow(false);
    };
  }, [isPending]);
  return isPending && isSlow;
}
