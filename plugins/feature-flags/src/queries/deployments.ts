import { useApiHolder } from '@backstage/frontend-plugin-api';
import {
  CATALOG_FILTER_EXISTS,
  catalogApiRef,
} from '@backstage/plugin-catalog-react';
import { changeText, type ChartMark, useChangesOf } from '@slipway/app-react';

/** Names the flags of a component; a name may end in `*`. */
const ANNOTATION = 'slipway.dev/flags';
/** The longest period of the usage chart. */
const DAYS = 30;

/** Deployments of the components that use a flag, to mark in charts of its usage. */
export function useDeployments(flag: string): ChartMark[] {
  const changes = useChangesOf({
    catalog: useApiHolder().get(catalogApiRef),
    exists: CATALOG_FILTER_EXISTS,
    annotation: ANNOTATION,
    isNamed: name =>
      name.endsWith('*') ? flag.startsWith(name.slice(0, -1)) : name === flag,
    kinds: ['deployment'],
    days: DAYS,
  });
  return changes.map(change => ({
    at: Date.parse(change.at),
    text: changeText(change),
  }));
}
