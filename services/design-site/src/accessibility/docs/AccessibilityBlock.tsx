import { useContext, useEffect, useState } from 'react';
import { DocsContext } from '@storybook/addon-docs/blocks';
import axe from 'axe-core';
import type { TreeNode } from '../channel.ts';
import { AccessibilityReport } from '../report/AccessibilityReport.tsx';
import { type Check, toReport } from '../report/Report.ts';
import { observeTree, pointAt } from '../tree/observeTree.ts';

/**
 * Shows the accessibility report of the first story on a documentation page, where
 * Storybook shows no panels and addon-a11y does not run.
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

/**
 * Returns the story's element on its documentation page: its container or, if the story
 * is rendered in an iframe, the body of that document. Returns undefined until the
 * story is rendered.
 *
 * @param storyId - first story of the page.
 */
function findStory(storyId: string): Element | undefined {
  const holder = document.getElementById(`story--${storyId}--primary`);
  const frame = holder?.querySelector('iframe');
  if (frame) {
    const body = frame.contentDocument?.body;
    return body?.classList.contains('sb-show-main') ? body : undefined;
  }
  const inner = document.getElementById(`story--${storyId}--primary-inner`);
  return inner?.firstElementChild ? inner : undefined;
}

const INTERVAL_MS = 100;

/**
 * Polls `find` until it returns an element; returns null if aborted first. Polling is
 * needed because a mutation observer cannot see into iframes.
 */
async function whenThere(
  find: () => Element | null | undefined,
  signal: AbortSignal,
): Promise<Element | null> {
  while (!signal.aborted) {
    const found = find();
    if (found) {
      return found;
    }
    await new Promise(resolve => {
      setTimeout(resolve, INTERVAL_MS);
    });
  }
  return null;
}

type Axe = Pick<typeof axe, 'run'>;

/** Serialises the runs: axe supports only one at a time per document. */
let last: Promise<unknown> = Promise.resolve();

/** Runs the rules on an element of this page or of an iframe in it. Never rejects. */
function checkElement(element: Element): Promise<Check> {
  const check = last.then(async () => {
    try {
      return { report: toReport(await axeOf(element).run(element)) };
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  });
  last = check;
  return check;
}

/**
 * Returns the axe instance of the element's document: axe can only inspect the document
 * that it was loaded in.
 */
function axeOf(element: Element): Axe {
  const view = element.ownerDocument.defaultView as
    (Window & { axe?: Axe; eval(code: string): void }) | null;
  if (!view || view === window) {
    return axe;
  }
  if (!view.axe) {
    view.eval(axe.source);
  }
  if (!view.axe) {
    throw new Error('The rules could not be loaded into the frame');
  }
  return view.axe;
}
