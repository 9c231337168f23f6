import { useSyncExternalStore } from 'react';
import { useApi } from '@backstage/frontend-plugin-api';
import { type Demo, demoApiRef } from './DemoApi';

/** Returns the demo organisation, with the actions on it. */
export function useDemo(): {
  /** Undefined until it is known. */
  demo: Demo | undefined;
  failure: Error | undefined;
  load: () => void;
  remove: () => Promise<void>;
} {
  const api = useApi(demoApiRef);
  const demo = useSyncExternalStore(api.subscribe, api.demo);
  const failure = useSyncExternalStore(api.subscribe, api.failure);
  return {
    demo,
    failure,
    load: () => void api.load(),
    remove: () => api.remove(),
  };
}
