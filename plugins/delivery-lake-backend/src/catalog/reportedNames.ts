import { ANNOTATION_SOURCE_LOCATION, Entity } from '@backstage/catalog-model';
import { DELIVERY_SERVICE_ANNOTATION } from '@slipway/plugin-delivery-lake-common';
import { repositoryName } from '../webhooks/payload/repositoryName';

/** `github.com/project-slug`, `gitlab.com/project-slug`, `gitea.com/repo-slug`, … */
const SLUG_ANNOTATION = /^[a-z0-9.-]+\/(project|repo)-slug$/;

/** Names are compared in lower case: forges do so, and entity refs are. */
export function comparable(name: string): string {
  return name.trim().toLocaleLowerCase('en-US');
}

function distinct(names: (string | undefined)[]): string[] {
  return [...new Set(names.flatMap(name => (name ? [comparable(name)] : [])))];
}

/** The names under which a component says that it is reported. */
export function annotatedNames({ metadata }: Entity): string[] {
  const names = metadata.annotations?.[DELIVERY_SERVICE_ANNOTATION] ?? '';
  return distinct(names.split(',').map(name => name.trim()));
}

/** The repositories that a component is made from, as forges name them. */
export function repositoriesOf({ metadata }: Entity): string[] {
  const annotations = Object.entries(metadata.annotations ?? {});
  const slugs = annotations
    .filter(([annotation]) => SLUG_ANNOTATION.test(annotation))
    .map(([, slug]) => slug);
  const location = metadata.annotations?.[ANNOTATION_SOURCE_LOCATION];
  const address = location?.startsWith('url:') ? location.slice(4) : undefined;
  return distinct([...slugs, address && repositoryName(address)]);
}
