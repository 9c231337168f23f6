import { Document, isMap, isScalar, isSeq, Node, ParsedNode } from 'yaml';
import { DevfilePath } from '../issue';

/** Keys with a meaning to JavaScript itself. No devfile needs them. */
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** A forbidden key and where it stands in the text. */
export interface ForbiddenKey {
  key: string;
  path: DevfilePath;
  offset: number;
}

/** Finds keys that could reach into JavaScript's prototypes. */
export function findForbiddenKeys(
  document: Document.Parsed<ParsedNode>,
): ForbiddenKey[] {
  const found: ForbiddenKey[] = [];
  const visit = (node: Node | null, path: DevfilePath): void => {
    if (isSeq<Node>(node)) {
      node.items.forEach((item, index) => visit(item, [...path, index]));
    }
    if (!isMap<Node, Node>(node)) {
      return;
    }
    for (const pair of node.items) {
      const key = isScalar(pair.key) ? String(pair.key.value) : '';
      const keyPath = [...path, key];
      if (FORBIDDEN_KEYS.has(key)) {
        found.push({ key, path: keyPath, offset: pair.key.range?.[0] ?? 0 });
      }
      visit(pair.value, keyPath);
    }
  };
  visit(document.contents, []);
  return found;
}
