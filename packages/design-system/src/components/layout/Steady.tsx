import { type ReactNode, useLayoutEffect, useRef } from 'react';

/** Content counts as loaded when nothing in it has been busy for this long. */
const SETTLED_MS = 500;

/** Pixels of window width that share one remembered height. */
const WIDTH_STEP = 120;

const BUSY = '[aria-busy="true"], [role="progressbar"]';

/** Props of {@link Steady}. */
export interface SteadyProps {
  /** Identifies the content in the whole product: the key of its remembered height. */
  name: string;
  /** Height in pixels that is reserved on the first visit. */
  height?: number;
  className?: string;
  /** Has an element with `aria-busy` while it loads, as Skeletons does. */
  children: ReactNode;
}

/**
 * Reserves room for loading content, so that the content below does not move. The room is as high
 * as the content was when the reader last saw it in a window of this width, which is remembered
 * in local storage. It is released once nothing inside is loading.
 */
export function Steady({ name, height = 0, className, children }: SteadyProps) {
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) {
      return undefined;
    }
    const step = Math.round(window.innerWidth / WIDTH_STEP);
    const key = `slipway.height.${name}.${step}`;
    const known = Number(window.localStorage.getItem(key) ?? height);
    element.style.minHeight = `${known}px`;
    const isBusy = () => element.querySelector(BUSY) !== null;
    const remember = () => {
      if (!isBusy()) {
        window.localStorage.setItem(key, String(element.offsetHeight));
      }
    };
    const sizes =
      typeof ResizeObserver === 'undefined'
        ? undefined
        : new ResizeObserver(remember);
    let isHeld = true;
    let timer: ReturnType<typeof setTimeout>;
    const settle = () => {
      clearTimeout(timer);
      if (isHeld && !isBusy()) {
        timer = setTimeout(() => {
          isHeld = false;
          element.style.minHeight = '';
          remember();
          sizes?.observe(element);
        }, SETTLED_MS);
      }
    };
    const changes = new MutationObserver(settle);
    changes.observe(element, {
      childList: true,
      subtree: true,
      attributeFilter: ['aria-busy'],
    });
    settle();
    return () => {
      clearTimeout(timer);
      changes.disconnect();
      sizes?.disconnect();
    };
  }, [name, height]);
  return (
    <div ref={frame} className={className}>
      {children}
    </div>
  );
}
