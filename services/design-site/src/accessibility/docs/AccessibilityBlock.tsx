import { useContext, useEffect, useState } from 'react';
import { DocsContext } from '@storybook/addon-docs/blocks';
import { AccessibilityReport } from '../report/AccessibilityReport.tsx';
import type { Check } from '../report/verdict.ts';
import { observeTree } from '../tree/observeTree.ts';
import { pointAt } from '../tree/pointAt.ts';
import type { TreeNode } from '../tree/TreeNode.ts';
import { checkElement } from './checkElement.ts';
import { findStory } from './findStory.ts';
import { whenThere } from './whenThere.ts';

/**
 * The report of the first story of a page of documentation, where Storybook shows
 * no panels and addon-a11y does not run.
 */
export function AccessibilityBlock() {
  const [story] = useContext(DocsContext).componentStories();
  const [element, setElement] = useState<Element | null>(null);
  const [check, setCheck] = useState<Check>({});
  const [nodes, setNodes] = useState<readonly TreeNode[]>([]);
  const storyId = story?.id;

  useEffect(() => {
    const left = new AbortController();
    if (storyId) {
      void whenThere(() => findStory(storyId), left.signal).then(setElement);
    }
    return () => left.abort();
  }, [storyId]);

  useEffect(() => {
    if (!element) {
      return undefined;
    }
    let isCurrent = true;
    const stop = observeTree(element, setNodes);
    void checkElement(element).then(result => {
      if (isCurrent) {
        setCheck(result);
      }
    });
    return () => {
      isCurrent = false;
      stop();
      pointAt(undefined, element.ownerDocument);
    };
  }, [element]);

  return storyId ? (
    <>
      <h2 id="accessibility">Accessibility</h2>
      <AccessibilityReport
        check={check}
        tree={nodes}
        onPoint={selector => pointAt(selector, element?.ownerDocument)}
      />
    </>
  ) : null;
}
