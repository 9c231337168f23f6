import type { ComponentRoutes } from './componentRoutes.ts';

/** Panel that a component's story opens with. */
export const ACCESSIBILITY_PANEL = 'slipway/accessibility/panel';

/** The two kinds of page that a component has. */
export type PageKind = 'story' | 'docs';

/** Storybook's own address of a component's page, from the root of the site. */
export function storybookAddress(
  kind: PageKind,
  component: ComponentRoutes,
): string {
  return kind === 'docs'
    ? `?path=/docs/${component.docs}`
    : `?path=/story/${component.story}&addonPanel=${ACCESSIBILITY_PANEL}`;
}

/** What `/story/button` or `/docs/button/` ask for; undefined for any other path. */
export function parseComponentPath(
  pathname: string,
): { kind: PageKind; slug: string } | undefined {
  const match = /^\/(story|docs)\/([^/]*)\/?$/.exec(pathname);
  return (
    (match?.[1] && {
      kind: match[1] as PageKind,
      slug: decode(match[2] ?? '').toLowerCase(),
    }) ||
    undefined
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
