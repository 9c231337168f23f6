import {
  NavContentNavItem,
  NavContentNavItems,
} from '@backstage/plugin-app-react';
import type { ShortcutPage } from '../palette/useShortcuts';

/** Groups of the sidebar, with their pages in order, by extension id. */
const GROUPS = [
  { id: 'catalog', pages: ['page:catalog', 'page:api-docs'] },
  { id: 'build', pages: ['page:ide-launcher', 'page:builds'] },
  { id: 'deliver', pages: ['page:delivery-lake', 'page:feature-flags'] },
  { id: 'learn', pages: ['page:space', 'page:analytics', 'page:feedback'] },
  { id: 'admin', pages: ['page:admin'] },
] as const;

/** Pages that are reached in other ways: by the logo, a button or a link on another page. */
const ELSEWHERE = [
  'page:search',
  'page:notifications',
  'page:user-settings',
  'page:catalog-import',
  'page:catalog-graph',
];

/** Paths of pages without a sidebar entry, by the extension id of the page they belong to. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  'page:catalog': ['/catalog-import', '/catalog-graph'],
};

/** Returns the paths of the pages that belong to a page in the sidebar. */
export function partsOf({ node }: NavContentNavItem): readonly string[] {
  return PARTS[node.spec.id] ?? [];
}

/** Id of a group, which is also the key of its label. */
type NavGroupId = (typeof GROUPS)[number]['id'] | 'more';

/** A group with at least one page. */
export interface NavGroup {
  id: NavGroupId;
  items: NavContentNavItem[];
}

/**
 * Sorts the installed pages into the groups of the sidebar. Omits groups without a page;
 * a page without a group is added to "more", so that a new plugin is always reachable.
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

/** The letter that opens a page after G, by extension id. */
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

/** Returns the installed pages with a letter, in the order of the sidebar. */
export function shortcutPages(
  items: readonly NavContentNavItem[],
): ShortcutPage[] {
  return items.flatMap(({ node, title, href }) => {
    const letter = LETTERS[node.spec.id];
    return letter ? [{ letter, title, href }] : [];
  });
}
