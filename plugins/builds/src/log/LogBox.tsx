import { useEffect, useRef } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { BuildStep, LogPlace, LogSection } from '../api/BuildsApi';
import type { LogPages } from './LogPages';
import { LogRowView } from './LogRowView';
import type { LogRows } from './LogRows';
import styles from './log.module.css';

/** Row heights in pixels; clickable rows are larger. */
const HEIGHTS = { section: 32, group: 24, line: 20, omitted: 20 } as const;
/**
 * Distance from the end, in pixels, within which the log is considered scrolled to the
 * end.
 */
const TAIL_PX = 24;

/** Renders the rows of a log, virtualised: only visible rows are in the DOM. */
export function LogBox(props: {
  label: string;
  rows: LogRows;
  /** Shown if there are no rows. */
  empty: string | undefined;
  pages: LogPages;
  sections: readonly LogSection[];
  steps: readonly BuildStep[];
  /** The search text; empty for none. */
  sought: string;
  /** The line to scroll to. */
  focus: LogPlace | undefined;
  /** True if that line is highlighted. */
  isMarked: boolean;
  isFollowing: boolean;
  isTimed: boolean;
  isWrapped: boolean;
  isOpen(section: number): boolean;
  isGroupOpen(place: LogPlace): boolean;
  onToggle(place: LogPlace): void;
  onScrolled(isAtEnd: boolean): void;
}) {
  const { label, rows, empty, pages, sections, focus } = props;
  const { isFollowing, isWrapped } = props;
  const box = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.count,
    getScrollElement: () => box.current,
    estimateSize: index => HEIGHTS[rows.at(index).kind],
    overscan: 20,
    initialRect: { width: 800, height: 480 },
  });
  const items = virtualizer.getVirtualItems();

  useEffect(() => virtualizer.measure(), [virtualizer, isWrapped, rows]);

  useEffect(() => {
    for (const { index } of items) {
      const row = index < rows.count ? rows.at(index) : undefined;
      if (row?.kind === 'line') {
        pages.need(row.section, row.line, sections[row.section].lines);
      }
    }
  });

  useEffect(() => {
    if (isFollowing && box.current) {
      box.current.scrollTop = box.current.scrollHeight;
    }
  }, [isFollowing, rows]);

  // The button that starts following disappears when it is pressed, and passes its focus to the
  // log.
  const wasFollowing = useRef(isFollowing);
  useEffect(() => {
    if (
      isFollowing &&
      !wasFollowing.current &&
      document.activeElement === document.body
    ) {
      box.current?.focus();
    }
    wasFollowing.current = isFollowing;
  }, [isFollowing]);

  const target = focus && rows.indexOf(focus);
  useEffect(() => {
    if (target !== undefined) {
      virtualizer.scrollToIndex(target, { align: 'center' });
    }
    // Folding rows above it must not scroll back to it.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [focus?.section, focus?.line, virtualizer]);

  // Only scrolling by the user counts: added lines cause scroll events too.
  const isAtEnd = () => {
    const { scrollHeight, scrollTop, clientHeight } = box.current!;
    return scrollHeight - scrollTop - clientHeight <= TAIL_PX;
  };
  const onMoved = () => props.onScrolled(isAtEnd());

  const isJump = (scrollTop: number) => {
    const jump =
      target === undefined
        ? undefined
        : virtualizer.getOffsetForIndex(target, 'center');
    return jump !== undefined && Math.abs(jump[0] - scrollTop) <= 1;
  };

  // A scrollbar causes only scroll events. Added lines do not move the view up, and folded ones
  // shrink the content. Only the user, or a jump to a line near the end, scrolls down to the end.
  const before = useRef({ scrollTop: 0, scrollHeight: 0 });
  const onScroll = () => {
    const { scrollTop, scrollHeight } = box.current!;
    if (
      scrollTop < before.current.scrollTop &&
      scrollHeight >= before.current.scrollHeight
    ) {
      onMoved();
    } else if (
      scrollTop > before.current.scrollTop &&
      isAtEnd() &&
      !isJump(scrollTop)
    ) {
      props.onScrolled(true);
    }
    before.current = { scrollTop, scrollHeight };
  };

  return (
    // Listens to every input that can scroll.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={box}
      className={styles.box}
      data-wrapped={isWrapped || undefined}
      role="log"
      aria-label={label}
      // Announcing every line would drown out the page; the steps announce their
      // states.
      aria-live="off"
      onWheel={onMoved}
      onTouchMove={onMoved}
      onKeyUp={onMoved}
      onScroll={onScroll}
      // A scrollable region must be reachable by keyboard.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      {rows.count === 0 && empty !== undefined && (
        <p className={styles.note}>{empty}</p>
      )}
      <div
        className={styles.lines}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {items.map(({ index, start, key }) =>
          index < rows.count ? (
            <div
              key={key}
              ref={isWrapped ? virtualizer.measureElement : undefined}
              data-index={index}
              className={styles.row}
              style={{ transform: `translateY(${start}px)` }}
            >
              <LogRowView
                {...props}
                row={rows.at(index)}
                isFocused={props.isMarked && index === target}
              />
            </div>
          ) : null,
        )}
      </div>
    </div>
  );
}
