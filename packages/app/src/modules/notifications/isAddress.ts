/** Accepts links to the portal and to the web, but no scripts: senders may set any URL. */
export function isAddress(link: string): boolean {
  return /^(?:https?:\/\/|\/(?!\/))/.test(link);
}
