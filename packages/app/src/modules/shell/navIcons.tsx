import { ReactNode } from 'react';
import { NavContentNavItem } from '@backstage/plugin-app-react';
import { RiHome5Line, RiPuzzle2Line, RiShapesLine } from '@remixicon/react';

/** Stock plugins bring filled icons of another family. */
const ICONS: Record<string, ReactNode> = {
  'page:home': <RiHome5Line />,
  'page:catalog': <RiShapesLine />,
  'page:api-docs': <RiPuzzle2Line />,
};

/** The icon of a page in the sidebar. */
export function navIcon(item: NavContentNavItem): ReactNode {
  return ICONS[item.node.spec.id] ?? item.icon;
}
