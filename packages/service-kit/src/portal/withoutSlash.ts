/** An address that a path can be put behind: without the slashes at its end. */
export function withoutSlash(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') {
    end -= 1;
  }
  return url.slice(0, end);
}
