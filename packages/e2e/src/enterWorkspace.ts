/** A session of a workspace's gateway, as a browser has one. */
export interface WorkspaceSession {
  /** Asks the editor for its health. @returns the status, 0 when nobody answered. */
  ask(): Promise<number>;
}

/** Redeems a ticket as a browser would. @throws Error when the gateway opens no session for it. */
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
