import { type ReactNode, useCallback, useSyncExternalStore } from 'react';
import { useApiHolder } from '@backstage/frontend-plugin-api';
import { portalFlagsApiRef } from './PortalFlags';

/**
 * Returns whether a portal flag is on for the user, and updates when it changes.
 *
 * @param fallback - value for an unknown flag, and until the portal has responded.
 */
export function useFlag(name: string, fallback = false): boolean {
  const flags = useApiHolder().get(portalFlagsApiRef);
  const follow = useCallback(
    (onChange: () => void) => flags?.follow(name, onChange) ?? (() => {}),
    [flags, name],
  );
  return useSyncExternalStore(follow, () => flags?.get(name)) ?? fallback;
}

/** Props of {@link Flag}. */
export interface FlagProps {
  name: string;
  /** Shown while the flag is on. */
  children: ReactNode;
  /** Shown while the flag is off. */
  otherwise?: ReactNode;
  /**
   * The value until the portal has responded, and for a flag that does not exist; false by default.
   */
  fallback?: boolean;
}

/** Shows its content while a flag of the portal is on for the user. */
export function Flag(props: FlagProps) {
  const { name, children, otherwise = null, fallback } = props;
  return <>{useFlag(name, fallback) ? children : otherwise}</>;
}
