import { existsSync } from 'node:fs';
import path from 'node:path';
import { CommitAuthor } from '../WorkspaceRuntime';
import { writeOwnFile } from './files/ownFiles';
import { WorkspacePaths } from './files/WorkspacePaths';

/** Writes the author of commits to git's configuration, unless the workspace has one. */
export async function writeCommitAuthor(
  author: CommitAuthor | null | undefined,
  { home }: Pick<WorkspacePaths, 'home'>,
): Promise<void> {
  const file = path.join(home, '.gitconfig');
  const others = path.join(home, '.config/git/config');
  if (author && !existsSync(file) && !existsSync(others)) {
    const { email, name } = author;
    await writeOwnFile(
      file,
      `[user]\n\tname = ${quoteForGit(name)}\n\temail = ${quoteForGit(email)}\n`,
    );
  }
}

/** Quotes a value of git's configuration, without control characters. */
function quoteForGit(value: string): string {
  return `"${value.replace(/\p{Cc}/gu, ' ').replace(/["\\]/g, '\\$&')}"`;
}
