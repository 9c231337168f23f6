import type { PropsWithChildren } from 'react';
import { useLakeStatus } from '../../data/useLake';
import { EmptyLake } from './EmptyLake';

/** A page for which there must be deployments; until there are, how to get them in. */
export function UnlessEmpty({ children }: PropsWithChildren) {
  const { data: status } = useLakeStatus();
  return status?.deployments === 0 ? (
    <EmptyLake ingestUrl={status.ingestUrl} />
  ) : (
    <>{children}</>
  );
}
