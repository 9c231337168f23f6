import {
  NavContentNavItem,
  NavContentNavItems,
} from '@backstage/plugin-app-react';

/** Groups of the sidebar, each with its pages in order, by extension id. */
const GROUPS = [
  { id: 'catalog', pages: ['page:catalog', 'page:api-docs'] },
  { id: 'build', pages: ['page:ide-launcher', 'page:builds'] },
  { id: 'deliver', pages: ['page:delivery-lake', 'page:feature-flags'] },
  { id: 'learn', pages: ['page:space', 'page:analytics', 'page:feedback'] },
] as const;

/** Pages that are reached otherwise: by the logo, a button or a link on another page. */
const ELSEWHERE = [
  'page:search',
  'page:notifications',
  'page:user-settings',
  'page:catalog-import',
  'page:catalog-graph',
];

/** Id of a group, which is also the key of its label. */
export type NavGroupId = (typeof GROUPS)[number]['id'] | 'more';

/** A group with at least one page. */
export interface NavGroup {
  id: NavGroupId;
  items: NavContentNavItem[];
}

/**
 * Sorts the pages that are installed into the groups of the sidebar. Groups
 * without a page are left out; a page that no group names lands under "more",
 * so that a new plugin is never unreachable.
 */
export function groupNavItems(navItems: NavContentNavItems): {
  home: NavContentNavItem | undefined;
  groups: NavGroup[];
} {
  const bag = navItems.clone();
  ELSEWHERE.forEach(id => bag.take(id));
  const home = bag.take('page:home');
  const groups: NavGroup[] = GROUPS.map(group => ({
    id: group.id,
    items: group.pages.flatMap(page => bag.take(page) ?? []),
  }));
  groups.push({ id: 'more', items: [...bag.rest()] });
  return { home, groups: groups.filter(group => group.items.length > 0) };
}
