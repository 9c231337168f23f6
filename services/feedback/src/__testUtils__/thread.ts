import type { Client } from './startFeedback.ts';

/** Returns the path of a record. */
export const pathOf = (id: string) => `/api/v1/feedback/${id}`;

/** Adds a reply, or a note. */
export const reply = (client: Client, id: string, message: string, more = {}) =>
  client.post(`${pathOf(id)}/replies`, { message, ...more });

/** Adds an internal note. */
export const note = (client: Client, id: string, message: string) =>
  reply(client, id, message, { internal: true });
