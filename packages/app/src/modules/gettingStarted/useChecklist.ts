import { useEffect, useState } from 'react';
import { storageApiRef, useApi } from '@backstage/frontend-plugin-api';
import { type CheckId, checksApiRef } from './Checks';

/** The first steps of members, and those of admins before them. */
const STEPS: Readonly<Record<'member' | 'admin', readonly CheckId[]>> = {
  member: ['workspace', 'build', 'deployment', 'flag'],
  admin: ['connect', 'workspace', 'build', 'deployment', 'flag', 'team'],
};

/** A step of the checklist; undefined if its part does not respond, or has not responded yet. */
export interface ChecklistStep {
  id: CheckId;
  isDone: boolean | undefined;
}

/**
 * Checks which steps of a role have actually happened; sends no requests until the role
 * is known.
 */
export function useChecklist(
  role: 'member' | 'admin' | undefined,
): ChecklistStep[] {
  const checks = useApi(checksApiRef);
  const [done, setDone] = useState<Partial<Record<CheckId, boolean>>>({});
  useEffect(() => {
    let isCurrent = true;
    const ask = (id: CheckId) =>
      checks.isDone(id).then(
        isDone => isCurrent && setDone(before => ({ ...before, [id]: isDone })),
        () => {},
      );
    (role ? STEPS[role] : []).forEach(ask);
    return () => {
      isCurrent = false;
    };
  }, [checks, role]);
  return (role ? STEPS[role] : []).map(id => ({ id, isDone: done[id] }));
}

const BUCKET = 'slipway.gettingStarted';
const KEY = 'dismissed';

/** Returns whether the user has dismissed the card, which is stored in the user's settings. */
export function useDismissed(): {
  /** Undefined until it is known. */
  isDismissed: boolean | undefined;
  setDismissed: (isDismissed: boolean) => void;
} {
  const storage = useApi(storageApiRef);
  const [isDismissed, setState] = useState<boolean>();
  useEffect(() => {
    const bucket = storage.forBucket(BUCKET);
    const { presence, value } = bucket.snapshot<boolean>(KEY);
    if (presence !== 'unknown') {
      setState(value ?? false);
    }
    const subscription = bucket.observe$<boolean>(KEY).subscribe({
      next: change => setState(change.value ?? false),
      error: () => setState(false),
    });
    return () => subscription.unsubscribe();
  }, [storage]);
  return {
    isDismissed,
    setDismissed(next) {
      setState(next);
      storage
        .forBucket(BUCKET)
        .set(KEY, next)
        .catch(() => {});
    },
  };
}
