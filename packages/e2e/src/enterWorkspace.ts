/** A session with a workspace's gateway, as a browser has. */
export interface WorkspaceSession {
  /**
   * Requests the editor's health.
   *
   * @returns the status, 0 if there was no response.
   */
  ask(): Promise<number>;
}

/**
 * Redeems a ticket like a browser.
 *
 * @throws Error if the gateway does not open a session.
 */
export async function enterWorkspace(ticket: {
  url: string;
}): Promise<WorkspaceSession> {
  const redeemed = await fetch(ticket.url, { redirect: 'manual' });
  const [cookie] = redeemed.headers.getSetCookie();
  const location = redeemed.headers.get('location');
  if (!cookie || !location) {
    throw new Error(`The gateway answered a ticket with ${redeemed.status}`);
  }
  const health = new URL('healthz', new URL(location, ticket.url));
  const headers = { cookie: cookie.split(';')[0] };
  return {
    async ask() {
      const response = await fetch(health, { headers }).catch(() => null);
      await response?.body?.cancel();
      return response?.status ?? 0;
    },
  };
}
