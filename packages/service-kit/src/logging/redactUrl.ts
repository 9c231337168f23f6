const SECRET = /token|key|secret|password|ticket|signature|code/i;

/** A path and query for the log, without the values of parameters that name a secret. */
export function redactUrl(url: string): string {
  const start = url.indexOf('?');
  if (start === -1) {
    return url;
  }
  // Percent signs may hide a name.
  if (!SECRET.test(url) && !url.includes('%')) {
    return url;
  }
  const query = new URLSearchParams(url.slice(start + 1));
  for (const name of new Set(query.keys())) {
    if (SECRET.test(name)) {
      query.set(name, '[redacted]');
    }
  }
  return `${url.slice(0, start)}?${query}`;
}
