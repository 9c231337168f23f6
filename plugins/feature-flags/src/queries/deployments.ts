import { useApiHolder } from '@backstage/frontend-plugin-api';
import {
  CATALOG_FILTER_EXISTS,
  catalogApiRef,
} from '@backstage/plugin-catalog-react';
import { changeText, type ChartMark, useChangesOf } from '@slipway/app-react';

/** The annotation with the flags of a component, separated by commas. */
export const FLAGS_ANNOTATION = 'slipway.dev/flags';
/** The longest period of the usage chart. */
const DAYS = 30;

/** Reads the deployments of the components that use a flag, to mark in charts of its usage. */
export function useDeployments(flag: string): ChartMark[] {
  const changes = useChangesOf({
    catalog: useApiHolder().get(catalogApiRef),
    exists: CATALOG_FILTER_EXISTS,
    annotation: FLAGS_ANNOTATION,
    isNamed: name => namesFlag(name, flag),
    kinds: ['deployment'],
    days: DAYS,
  });
  return changes.map(change => ({
    at: Date.parse(change.at),
    text: changeText(change),
  }));
}

/** Checks whether a name of the annotation is or covers a flag: `shop.*` covers `shop.search`. */
export function namesFlag(name: string, flag: string): boolean {
  return name.endsWith('*')
    ? flag.startsWith(name.slice(0, -1))
    : name === flag;
}
