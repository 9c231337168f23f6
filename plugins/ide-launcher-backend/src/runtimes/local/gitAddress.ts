/** Why a project's address is not asked; null when it may be. */
export function projectUrlFault(address: string): string | null {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return 'its address is not an https URL';
  }
  if (url.protocol !== 'https:') {
    return `only https addresses are read, and this is ${url.protocol.slice(
      0,
      -1,
    )}`;
  }
  if (url.username || url.password) {
    return 'its address holds credentials';
  }
  return null;
}

/** Whether a text is safe to hand to git as a branch, tag or commit. */
export function isGitRevision(text: string): boolean {
  return (
    /^[A-Za-z0-9][\w./+@-]{0,254}$/.test(text) &&
    !text.includes('..') &&
    !text.includes('@{')
  );
}

/** Whether a text is safe as the name of a git remote. */
export function isGitRemoteName(text: string): boolean {
  return /^[A-Za-z0-9][\w.-]{0,62}$/.test(text);
}
