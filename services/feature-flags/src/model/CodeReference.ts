import { withoutSlash } from '@slipway/service-kit';

/** A line of code that names a flag. */
export interface FoundReference {
  readonly flag: string;
  /** Relative to the repository, with `/`. */
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

/** The references found in a repository. Times are milliseconds since the Unix epoch. */
export interface CodeScan {
  /** The URL of the repository's page. */
  readonly repository: string;
  readonly commit: string;
  readonly scannedBy: string;
  readonly scannedAt: number;
  readonly references: readonly FoundReference[];
}

/** A reference with the scan that found it. */
export interface CodeReference
  extends
    FoundReference,
    Pick<CodeScan, 'repository' | 'commit' | 'scannedAt'> {}

/** The path before the commit in URLs of files, by the forge's host; GitHub and Gitea use `blob`. */
const FILE_PATHS: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\.)gitlab\./, '-/blob'],
  [/(?:^|\.)bitbucket\./, 'src'],
];

/** Returns the URL of a line of code on its forge. */
export function addressOf(reference: CodeReference): string {
  const { repository, commit, path, line } = reference;
  const { host } = new URL(repository);
  const [, blob] = FILE_PATHS.find(([pattern]) => pattern.test(host)) ?? [
    undefined,
    'blob',
  ];
  const base = withoutSlash(repository).replace(/\.git$/, '');
  const file = path.split('/').map(encodeURIComponent).join('/');
  return `${base}/${blob}/${encodeURIComponent(commit)}/${file}#L${line}`;
}
