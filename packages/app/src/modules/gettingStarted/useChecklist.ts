import { useEffect, useRef, useState } from 'react';
import { storageApiRef, useApi } from '@backstage/frontend-plugin-api';
import type { JsonValue } from '@backstage/types';
import { inboxApiRef, type StepId } from '../home/InboxApi';

/** The first steps of members, and those of admins before them. */
const STEPS: Readonly<Record<'member' | 'admin', readonly StepId[]>> = {
  member: ['workspace', 'build', 'deployment', 'flag'],
  admin: ['connect', 'workspace', 'build', 'deployment', 'flag', 'team'],
};

/** A step of the checklist; undefined if its part does not respond, or has not responded yet. */
export interface ChecklistStep {
  id: StepId;
  isDone: boolean | undefined;
}

/**
 * Checks which steps of a role have actually happened; sends no requests until the role is known.
 * What has happened stays so, even if the workspace is deleted, and is not checked again.
 */
export function useChecklist(
  role: 'member' | 'admin' | undefined,
): ChecklistStep[] {
  const inbox = useApi(inboxApiRef);
  const { value: stored, set } = useStored<StepId[]>('done', []);
  const [done, setDone] = useState<Partial<Record<StepId, boolean | null>>>({});
  const latest = useRef({ stored, set });
  latest.current = { stored, set };
  const isReady = stored !== undefined;
  useEffect(() => {
    const happened = latest.current.stored ?? [];
    const open = (role && isReady ? STEPS[role] : []).filter(
      id => !happened.includes(id),
    );
    if (open.length === 0) {
      return undefined;
    }
    let isCurrent = true;
    inbox
      .firstSteps(open)
      .then(answer => {
        if (!isCurrent) {
          return;
        }
        setDone(answer);
        const added = open.filter(id => answer[id]);
        if (added.length > 0) {
          latest.current.set([...happened, ...added]);
        }
      })
      .catch(() => {});
    return () => {
      isCurrent = false;
    };
  }, [inbox, role, isReady]);
  return (role ? STEPS[role] : []).map(id => ({
    id,
    isDone: stored?.includes(id) || (done[id] ?? undefined),
  }));
}

/** Returns whether the user has dismissed the card. */
export function useDismissed(): {
  /** Undefined until it is known. */
  isDismissed: boolean | undefined;
  setDismissed: (isDismissed: boolean) => void;
} {
  const { value, set } = useStored<boolean>('dismissed', false);
  return { isDismissed: value, setDismissed: set };
}

const BUCKET = 'slipway.gettingStarted';

/** Returns a value from the user's settings, undefined until it is known, and changes it. */
function useStored<T extends JsonValue>(
  key: string,
  otherwise: T,
): { value: T | undefined; set(next: T): void } {
  const storage = useApi(storageApiRef);
  const [value, setValue] = useState<T>();
  const fallback = useRef(otherwise);
  useEffect(() => {
    const bucket = storage.forBucket(BUCKET);
    const { presence, value: known } = bucket.snapshot<T>(key);
    if (presence !== 'unknown') {
      setValue((known as T | undefined) ?? fallback.current);
    }
    const subscription = bucket.observe$<T>(key).subscribe({
      next: change =>
        setValue((change.value as T | undefined) ?? fallback.current),
      error: () => setValue(fallback.current),
    });
    return () => subscription.unsubscribe();
  }, [storage, key]);
  return {
    value,
    set(next) {
      setValue(next);
      storage
        .forBucket(BUCKET)
        .set(key, next)
        .catch(() => {});
    },
  };
}
