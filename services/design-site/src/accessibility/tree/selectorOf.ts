/** A selector that finds the element, and only it, as long as it keeps its place. */
export function selectorOf(element: Element): string {
  const steps: string[] = [];
  for (
    let current: Element | null = element;
    current && current !== current.ownerDocument.documentElement;
    current = current.parentElement
  ) {
    const name = current.localName;
    const siblings = [...(current.parentElement?.children ?? [current])].filter(
      sibling => sibling.localName === name,
    );
    steps.unshift(
      siblings.length > 1
        ? `${name}:nth-of-type(${siblings.indexOf(current) + 1})`
        : name,
    );
  }
  return steps.join(' > ');
}
