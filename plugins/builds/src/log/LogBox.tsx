import { useEffect, useRef } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Link, useLocation } from 'react-router-dom';
import { buildsTranslationRef } from '../translation';
import type { LogLines } from './LogLines';
import styles from './log.module.css';

const LINE_PX = 20;
/** Distance from the end within which the reader counts as being there. */
const TAIL_PX = 24;

/** Lines of a log, of which only those in sight are in the page. */
export function LogBox(props: {
  label: string;
  lines: LogLines;
  /** Rises when lines were added. */
  version: number;
  /** Index of the line to bring into sight. */
  focused: number | undefined;
  isFollowing: boolean;
  onScrolledAway(): void;
  onScrolledToEnd(): void;
}) {
  const { label, lines, version, focused, isFollowing } = props;
  const { t } = useTranslationRef(buildsTranslationRef);
  const box = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: lines.count,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_PX,
    overscan: 20,
    initialRect: { width: 800, height: 480 },
  });

  useEffect(() => {
    if (isFollowing && box.current) {
      box.current.scrollTop = box.current.scrollHeight;
    }
  }, [isFollowing, version]);

  useEffect(() => {
    if (focused !== undefined) {
      virtualizer.scrollToIndex(focused, { align: 'center' });
    }
  }, [focused, virtualizer]);

  // Only the reader's own ways of scrolling count: lines that are added scroll too.
  const onMoved = () => {
    const { scrollHeight, scrollTop, clientHeight } = box.current!;
    const isAtEnd = scrollHeight - scrollTop - clientHeight <= TAIL_PX;
    (isAtEnd ? props.onScrolledToEnd : props.onScrolledAway)();
  };

  return (
    // How the reader scrolls is heard, whatever they scroll with.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={box}
      className={styles.box}
      role="log"
      aria-label={label}
      // Every line read aloud would drown the page; the steps announce.
      aria-live="off"
      onWheel={onMoved}
      onTouchMove={onMoved}
      onKeyUp={onMoved}
      // Scrolls, therefore reachable by keyboard.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      {lines.count === 0 && <p className={styles.note}>{t('log.empty')}</p>}
      <div
        className={styles.lines}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => (
          <div
            key={index}
            className={styles.line}
            data-focused={index === focused || undefined}
            data-heading={lines.isHeading(index) || undefined}
            style={{ transform: `translateY(${start}px)` }}
          >
            <LineNumber number={index + 1 + lines.dropped} />
            {lines.at(index).map(({ text, classes }, position) => (
              <span
                key={position}
                className={classes.map(name => styles[name] ?? '').join(' ')}
              >
                {text}
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Leads to its line: what one sends to others. Left out of the order of tabs, as there are many. */
function LineNumber({ number }: { number: number }) {
  return (
    <Link
      className={styles.number}
      to={{ hash: `L${number}` }}
      replace
      tabIndex={-1}
      aria-hidden
    >
      {number}
    </Link>
  );
}

/** The line that the address names, counted from 1. */
export function useAddressedLine(): number | undefined {
  const [, number] = /^#L([1-9]\d{0,8})$/.exec(useLocation().hash) ?? [];
  return number === undefined ? undefined : Number(number);
}
