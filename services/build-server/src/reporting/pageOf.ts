/** Names the page of a build in the portal. */
export function pageOf(
  appUrl: string,
  build: { job: string; number: number },
): string {
  return `${appUrl}/builds/${encodeURIComponent(build.job)}/${build.number}`;
}
