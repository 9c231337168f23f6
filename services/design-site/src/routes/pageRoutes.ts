/** A page of Storybook. */
export interface IndexEntry {
  id: string;
  /** Path in the sidebar, e.g. `Components/Status badge`. */
  title: string;
  name: string;
  type: 'story' | 'docs';
}

/** The content of Storybook's `index.json`. */
export interface StorybookIndex {
  entries: Record<string, IndexEntry>;
}

/** The addresses of a component, or of a page about the whole system. */
export interface PageRoutes {
  /** Lower case with hyphens, e.g. `status-badge`. */
  slug: string;
  title: string;
  /** Id of the component's first story; undefined if the page is not about a component. */
  story?: string;
  /** Id of the documentation page. */
  docs: string;
}

/** Thrown if two pages have the same slug. */
export class DuplicateSlugError extends Error {
  override readonly name = 'DuplicateSlugError';
}

const GROUP = 'Components/';

/**
 * Returns the pages of an index with their ids: first those about the whole system, then the
 * components, each by title. Storybook's own routing needs full ids such as
 * `components-button--primary`.
 *
 * @throws DuplicateSlugError if two pages have the same slug.
 */
export function pageRoutes(entries: readonly IndexEntry[]): PageRoutes[] {
  const titles = [...new Set(entries.map(({ title }) => title))];
  const taken = new Set<string>();
  const pages = titles.flatMap((title): PageRoutes[] => {
    const own = entries.filter(entry => entry.title === title);
    const story = own.find(({ type }) => type === 'story')?.id;
    const docs = own.find(({ type }) => type === 'docs')?.id ?? story;
    const isComponent = title.startsWith(GROUP) && story !== undefined;
    if (docs === undefined || (!isComponent && title.includes('/'))) {
      return [];
    }
    const slug = slugOf(title);
    if (taken.has(slug)) {
      throw new DuplicateSlugError(`Two pages are named ${slug}`);
    }
    taken.add(slug);
    return isComponent
      ? [{ slug, title: title.slice(GROUP.length), story, docs }]
      : [{ slug, title, docs }];
  });
  return pages.sort(
    (a, b) =>
      Number(a.story !== undefined) - Number(b.story !== undefined) ||
      a.title.localeCompare(b.title),
  );
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

/** The kinds of addresses of a page. */
export const PAGE_KINDS = ['story', 'docs'] as const;
type PageKind = (typeof PAGE_KINDS)[number];

/**
 * Returns Storybook's own address of a page, relative to the site's root; undefined for stories of a
 * page that has none.
 */
export function storybookAddress(
  kind: PageKind,
  { story, docs }: PageRoutes,
): string | undefined {
  if (kind === 'docs') {
    return `?path=/docs/${docs}`;
  }
  return story && `?path=/story/${story}&addonPanel=${ACCESSIBILITY_PANEL}`;
}

/**
 * Parses paths such as `/story/button` and `/docs/Button/`; returns undefined for any
 * other path. A page may be written like its slug, its title or its name in code.
 */
export function parsePagePath(
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
