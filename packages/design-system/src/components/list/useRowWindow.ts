import { type RefObject, useEffect, useRef, useState } from 'react';

/** Height in pixels of a row in a virtualized table; must match `DataTable.css`. */
const ROW_HEIGHT = 41;
/** Rows rendered on either side of those in view, for arrow keys and fast scrolling. */
const MARGIN = 15;
/** Tables with fewer rows render all of them, each with its natural height. */
const MINIMUM = 200;
const FIRST_SHOWN = 50;

/** The rows in or near the viewport, by index. */
export interface RowWindow {
  start: number;
  /** Exclusive. */
  end: number;
  /** Height in pixels of the rows before and after. */
  before: number;
  after: number;
}

/**
 * Determines the rows of a long table that are in or near the viewport, so that only these are
 * rendered. Returns undefined for a table that is short enough to be rendered completely.
 *
 * @param count - number of rows.
 * @param frame - the element around the table.
 */
export function useRowWindow(
  count: number,
  frame: RefObject<HTMLElement | null>,
): RowWindow | undefined {
  const isLong = count > MINIMUM;
  const [range, setRange] = useState({ start: 0, end: FIRST_SHOWN });
  const asked = useRef(0);
  useEffect(() => {
    const element = frame.current;
    if (!isLong || !element) {
      return undefined;
    }
    const update = () => {
      const head = element.querySelector('thead')?.offsetHeight ?? 0;
      const top = -element.getBoundingClientRect().top - head;
      const first = Math.floor(top / ROW_HEIGHT) - MARGIN;
      const shown = Math.ceil(window.innerHeight / ROW_HEIGHT) + 2 * MARGIN;
      const start = Math.max(0, Math.min(first, count - shown));
      setRange(current =>
        current.start === start && current.end === start + shown
          ? current
          : { start, end: start + shown },
      );
    };
    const onScroll = () => {
      cancelAnimationFrame(asked.current);
      asked.current = requestAnimationFrame(update);
    };
    update();
    // In the capture phase, since any ancestor may be the one that scrolls.
    document.addEventListener('scroll', onScroll, true);
    window.addEventListener('resize', onScroll);
    return () => {
      cancelAnimationFrame(asked.current);
      document.removeEventListener('scroll', onScroll, true);
      window.removeEventListener('resize', onScroll);
    };
  }, [isLong, count, frame]);
  if (!isLong) {
    return undefined;
  }
  const start = Math.min(range.start, count);
  const end = Math.min(range.end, count);
  return {
    start,
    end,
    before: start * ROW_HEIGHT,
    after: (count - end) * ROW_HEIGHT,
  };
}
