/** An entry of the `index.json` that Storybook serves and builds. */
export interface IndexEntry {
  id: string;
  /** Its place in the sidebar, e.g. `Components/Status badge`. */
  title: string;
  name: string;
  type: 'story' | 'docs';
  tags?: readonly string[];
}

/** The addresses of a component's pages. */
export interface ComponentRoutes {
  /** Lower case with hyphens, as in `status-badge`. */
  slug: string;
  title: string;
  /** Id of its first story. */
  story: string;
  /** Id of its documentation. */
  docs: string;
  tags: readonly string[];
}

/** Two components would answer to one address. */
export class DuplicateSlugError extends Error {
  override readonly name = 'DuplicateSlugError';
}

const GROUP = 'Components/';

/**
 * The components of an index, each with the ids that its addresses lead to.
 * Storybook itself knows only whole ids, as in `components-button--primary`.
 *
 * @throws DuplicateSlugError
 */
export function componentRoutes(
  entries: readonly IndexEntry[],
): ComponentRoutes[] {
  const titles = [...new Set(entries.map(({ title }) => title))].filter(title =>
    title.startsWith(GROUP),
  );
  const taken = new Set<string>();
  return titles.flatMap(title => {
    const own = entries.filter(entry => entry.title === title);
    const story = own.find(({ type }) => type === 'story');
    if (!story) {
      return [];
    }
    const slug = slugOf(title);
    if (taken.has(slug)) {
      throw new DuplicateSlugError(`Two components are named ${slug}`);
    }
    taken.add(slug);
    const docs = own.find(({ type }) => type === 'docs') ?? story;
    return [
      {
        slug,
        title: title.slice(GROUP.length),
        story: story.id,
        docs: docs.id,
        tags: story.tags ?? [],
      },
    ];
  });
}

/** `Components/Status badge` as `status-badge`. */
function slugOf(title: string): string {
  return title
    .slice(title.lastIndexOf('/') + 1)
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Panel that a component's story opens with. */
export const ACCESSIBILITY_PANEL = 'slipway/accessibility/panel';

/** The two kinds of page that a component has. */
type PageKind = 'story' | 'docs';

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
