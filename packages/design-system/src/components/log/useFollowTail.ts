import { RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Distance in pixels from the end within which the reader counts as being there. */
const TAIL_PX = 24;

/** A scroll box that stays at its end until the reader scrolls up. */
export interface FollowTail {
  boxRef: RefObject<HTMLDivElement>;
  isFollowing: boolean;
  follow(): void;
}

/**
 * Keeps a scroll box at its end while `content` grows.
 *
 * @param content - anything that changes when lines are added.
 */
export function useFollowTail(content: unknown): FollowTail {
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
