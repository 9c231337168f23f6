import { useContext, useEffect, useState } from 'react';
import { DocsContext } from '@storybook/addon-docs/blocks';
import axe from 'axe-core';
import type { TreeNode } from '../channel.ts';
import { AccessibilityReport } from '../report/AccessibilityReport.tsx';
import { type Check, toReport } from '../report/Report.ts';
import { observeTree, pointAt } from '../tree/observeTree.ts';

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

/**
 * The element of a story on its page of documentation: the one that holds it or, of
 * a story in a frame of its own, the frame's body. undefined until it is rendered.
 *
 * @param storyId - of the first story of the page.
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
 * The first thing that `find` finds, tried again until it does; null when aborted
 * first. Asked again and again, for what is in a frame tells nobody of itself.
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

/** axe runs once at a time in a document. */
let last: Promise<unknown> = Promise.resolve();

/** Runs the rules on one element, of this page or of a frame in it; never rejects. */
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

/** The rules look at the document in which they were loaded. */
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
