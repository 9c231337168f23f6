import axe from 'axe-core';
import { toReport } from '../report/Report.ts';
import type { Check } from '../report/verdict.ts';

type Axe = Pick<typeof axe, 'run'>;

/** axe runs once at a time in a document. */
let last: Promise<unknown> = Promise.resolve();

/** Runs the rules on one element, of this page or of a frame in it; never rejects. */
export function checkElement(element: Element): Promise<Check> {
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
