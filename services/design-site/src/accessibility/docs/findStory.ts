/**
 * The element of a story on its page of documentation: the one that holds it or, of
 * a story in a frame of its own, the frame's body. undefined until it is rendered.
 *
 * @param storyId - of the first story of the page.
 */
export function findStory(storyId: string): Element | undefined {
  const holder = document.getElementById(`story--${storyId}--primary`);
  const frame = holder?.querySelector('iframe');
  if (frame) {
    const body = frame.contentDocument?.body;
    return body?.classList.contains('sb-show-main') ? body : undefined;
  }
  const inner = document.getElementById(`story--${storyId}--primary-inner`);
  return inner?.firstElementChild ? inner : undefined;
}
