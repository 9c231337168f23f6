import {
  NavContentNavItem,
  NavContentNavItems,
} from '@backstage/plugin-app-react';
import type { ShortcutPage } from '../search/useShortcuts';

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

/** The letter after G that leads to a page, by its extension id. */
const LETTERS: Record<string, string> = {
  'page:home': 'H',
  'page:catalog': 'C',
  'page:ide-launcher': 'W',
  'page:builds': 'B',
  'page:delivery-lake': 'D',
  'page:feature-flags': 'F',
  'page:space': 'E',
  'page:analytics': 'A',
  'page:feedback': 'K',
};

/** The pages that have a letter, of those that are installed, in the order of the sidebar. */
export function shortcutPages(
  items: readonly NavContentNavItem[],
): ShortcutPage[] {
  return items.flatMap(({ node, title, href }) => {
    const letter = LETTERS[node.spec.id];
    return letter ? [{ letter, title, href }] : [];
  });
}
