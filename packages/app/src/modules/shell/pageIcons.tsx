import type { AppNode } from '@backstage/frontend-plugin-api';
import {
  RiBellLine,
  RiHome5Line,
  RiNodeTree,
  RiPuzzle2Line,
  RiSearchLine,
  RiSettings3Line,
  RiShapesLine,
} from '@remixicon/react';

/** Replacements for the filled icons of stock plugins, which are of another family. */
const ICONS: Record<string, JSX.Element> = {
  'page:home': <RiHome5Line />,
  'page:catalog': <RiShapesLine />,
  'page:api-docs': <RiPuzzle2Line />,
  'page:search': <RiSearchLine />,
  'page:user-settings': <RiSettings3Line />,
  'page:notifications': <RiBellLine />,
  'page:catalog-graph': <RiNodeTree />,
};

/** Returns the icon of a page: ours if there is one, otherwise its own. */
export function pageIcon<I>(page: { node: AppNode; icon?: I }) {
  return ICONS[page.node.spec.id] ?? page.icon;
}
