import { useEffect, useRef, useState } from 'react';
import { useApi } from '@backstage/frontend-plugin-api';
import { useUserSetting } from '@slipway/app-react';
import { inboxApiRef, type StepId } from '../home/InboxApi';

const BUCKET = 'slipway.gettingStarted';

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
 * Checks which steps of a role are done; sends no requests until the role is known. A step that
 * was once done stays done, even if for example its workspace is deleted, and is not checked
 * again.
 */
export function useChecklist(
  role: 'member' | 'admin' | undefined,
): ChecklistStep[] {
  const inbox = useApi(inboxApiRef);
  const { value: stored, change } = useUserSetting(BUCKET, 'done', parseSteps);
  const [done, setDone] = useState<Partial<Record<StepId, boolean | null>>>({});
  const latest = useRef(stored);
  latest.current = stored;
  const isReady = stored !== undefined;
  useEffect(() => {
    const happened = latest.current ?? [];
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
          return undefined;
        }
        setDone(answer);
        const added = open.filter(id => answer[id]);
        return added.length > 0
          ? change(known => [...new Set([...known, ...added])])
          : undefined;
      })
      // What could not be checked or stored is checked again on the next visit.
      .catch(() => {});
    return () => {
      isCurrent = false;
    };
  }, [inbox, role, isReady, change]);
  return (role ? STEPS[role] : []).map(id => ({
    id,
    isDone: stored?.includes(id) || (done[id] ?? undefined),
  }));
}

/** Returns whether the user has dismissed the card. */
export function useDismissed(): {
  /** Undefined until it is known. */
  isDismissed: boolean | undefined;
  dismiss(): void;
} {
  const { value, change } = useUserSetting(BUCKET, 'dismissed', Boolean);
  return {
    isDismissed: value,
    // If this is not stored, the card reappears and can be dismissed again.
    dismiss: () => void change(() => true).catch(() => {}),
  };
}

function parseSteps(stored: unknown): StepId[] {
  return Array.isArray(stored) ? stored : [];
}
