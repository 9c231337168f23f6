/** A page of Storybook. */
export interface IndexEntry {
  id: string;
  /** Path in the sidebar, e.g. `Components/Status badge`. */
  title: string;
  name: string;
  type: 'story' | 'docs';
  tags?: readonly string[];
}

/** The content of Storybook's `index.json`. */
export interface StorybookIndex {
  entries: Record<string, IndexEntry>;
}

/** The addresses of a component's pages. */
export interface ComponentRoutes {
  /** Lower case with hyphens, e.g. `status-badge`. */
  slug: string;
  title: string;
  /** Id of the component's first story. */
  story: string;
  /** Id of the component's documentation page. */
  docs: string;
  tags: readonly string[];
}

/** Thrown if two components have the same slug. */
export class DuplicateSlugError extends Error {
  override readonly name = 'DuplicateSlugError';
}

const GROUP = 'Components/';

/**
 * Returns the components of an index, each with the story ids of its pages. Storybook's own routing
 * needs full ids such as `components-button--primary`.
 *
 * @throws DuplicateSlugError if two components have the same slug.
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

/** Converts `Components/Status badge` and `StatusBadge` to `status-badge`. */
function slugOf(title: string): string {
  return title
    .slice(title.lastIndexOf('/') + 1)
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Id of the panel that is open when a component's story is shown. */
export const ACCESSIBILITY_PANEL = 'slipway/accessibility/panel';

/** The kinds of pages of a component. */
type PageKind = 'story' | 'docs';

/**
 * Returns Storybook's own address of a component's page, relative to the site's root.
 */
export function storybookAddress(
  kind: PageKind,
  component: ComponentRoutes,
): string {
  return kind === 'docs'
    ? `?path=/docs/${component.docs}`
    : `?path=/story/${component.story}&addonPanel=${ACCESSIBILITY_PANEL}`;
}

/**
 * Parses paths such as `/story/button` and `/docs/Button/`; returns undefined for any
 * other path. A component may be written like its slug, its title or its name in code.
 */
export function parseComponentPath(
  pathname: string,
): { kind: PageKind; slug: string } | undefined {
  const match = /^\/(story|docs)\/([^/]*)\/?$/.exec(pathname);
  return (
    (match?.[1] && {
      kind: match[1] as PageKind,
      slug: slugOf(decode(match[2] ?? '')),
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
