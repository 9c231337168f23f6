import { RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '@backstage/ui';
import { RiArrowDownLine } from '@remixicon/react';
import { messages } from '../../messages';
import { CopyButton } from '../copy/CopyButton';
import { formatClock } from '../time/formatTime';
import './LogView.css';

/** One line of a log. */
export interface LogLine {
  /** Sequence number, increasing by line. */
  seq: number;
  text: string;
  /** ISO 8601 timestamp; displayed as the time of day in the user's time zone. */
  at?: string;
  /** The program that wrote the line. */
  source?: string;
}

/** Props of {@link LogView}. */
export interface LogViewProps {
  /** Name of the log, e.g. "Log of api-gateway". */
  label: string;
  lines: readonly LogLine[];
  /** Height of the box in pixels; defaults to 280. */
  height?: number;
}

/** Lines in monospace that follow the end of the log until the user scrolls up. */
export function LogView({ label, lines, height = 280 }: LogViewProps) {
  const { boxRef, isFollowing, follow } = useFollowTail(lines);
  return (
    <div className="slw-LogView">
      <div className="slw-LogViewTools">
        {!isFollowing && (
          <Button
            size="small"
            variant="tertiary"
            iconStart={<RiArrowDownLine />}
            onPress={() => {
              follow();
              // The button disappears.
              boxRef.current?.focus();
            }}
          >
            {messages.followLog}
          </Button>
        )}
        <CopyButton
          text={lines.map(line => line.text).join('\n')}
          label={messages.copyLog}
        />
      </div>
      <div
        ref={boxRef}
        className="slw-LogViewBox"
        style={{ height }}
        role="log"
        aria-label={label}
        // Announcing every line would be too much; the steps are announced instead.
        aria-live="off"
        // Scrollable, so it must be reachable by keyboard.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        {lines.length === 0 && (
          <p className="slw-LogViewEmpty">{messages.logEmpty}</p>
        )}
        {lines.map(line => (
          <div className="slw-LogLine" key={line.seq}>
            {line.at && (
              <time dateTime={line.at}>
                {formatClock(Date.parse(line.at), { seconds: true })}
              </time>
            )}
            {line.source && (
              <span className="slw-LogSource">{line.source}</span>
            )}
            <span className="slw-LogText">{line.text}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

/** Distance from the end, in pixels, that still counts as being at the end. */
const TAIL_PX = 24;

/** A scroll box that stays at its end until the user scrolls up. */
interface FollowTail {
  boxRef: RefObject<HTMLDivElement>;
  isFollowing: boolean;
  follow(): void;
}

/**
 * Keeps a scroll box at its end while `content` grows.
 *
 * @param content - any value that changes when lines are added.
 */
function useFollowTail(content: unknown): FollowTail {
  const boxRef = useRef<HTMLDivElement>(null);
  const [isFollowing, setIsFollowing] = useState(true);

  useLayoutEffect(() => {
    const box = boxRef.current;
    if (box && isFollowing) {
      box.scrollTop = box.scrollHeight;
    }
  }, [content, isFollowing]);

  useEffect(() => {
    const box = boxRef.current;
    if (!box) {
      return undefined;
    }
    const onScroll = () => {
      const rest = box.scrollHeight - box.scrollTop - box.clientHeight;
      setIsFollowing(rest <= TAIL_PX);
    };
    box.addEventListener('scroll', onScroll, { passive: true });
    return () => box.removeEventListener('scroll', onScroll);
  }, []);

  return { boxRef, isFollowing, follow: () => setIsFollowing(true) };
}
