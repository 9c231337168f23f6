const ID = 'slipway-pointer';
const GAP_PX = 2;

/**
 * Draws a frame around the element that a selector finds, and brings it into sight.
 * undefined takes the frame away.
 */
export function pointAt(selector: string | undefined, at = document): void {
  at.getElementById(ID)?.remove();
  const element = selector && find(selector, at);
  if (!element) {
    return;
  }
  element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const { top, left, width, height } = element.getBoundingClientRect();
  const { scrollX = 0, scrollY = 0 } = at.defaultView ?? {};
  const frame = at.createElement('div');
  frame.id = ID;
  frame.setAttribute('aria-hidden', 'true');
  Object.assign(frame.style, {
    position: 'absolute',
    zIndex: '2147483647',
    top: `${top + scrollY - GAP_PX}px`,
    left: `${left + scrollX - GAP_PX}px`,
    width: `${width + 2 * GAP_PX}px`,
    height: `${height + 2 * GAP_PX}px`,
    boxSizing: 'border-box',
    border: '2px solid #c2571a',
    borderRadius: '4px',
    pointerEvents: 'none',
  });
  at.body.append(frame);
}

function find(selector: string, at: Document): Element | null {
  try {
    return at.querySelector(selector);
  } catch {
    // Of axe, for an element inside a shadow root: there is no way in.
    return null;
  }
}
