/** Returns whether a page calls a server, rather than loading a part of the app. */
export function isCall(url: URL): boolean {
  return url.pathname.startsWith('/api/') || isIdle(url);
}

/** Returns whether a call cannot affect how a page looks: usage events, and streams of changes. */
export function isIdle({ pathname }: URL): boolean {
  return /^\/(?:capture|batch|e|i\/v0\/e)\/?$|\/(?:stream|streaming|portal-flags\/changes)$/.test(
    pathname,
  );
}
