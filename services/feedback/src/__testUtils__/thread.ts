import type { Client } from './startFeedback.ts';

/** Returns the path of a record. */
export const pathOf = (id: string) => `/api/v1/feedback/${id}`;

/** Adds a reply, or a note. */
export const reply = (client: Client, id: string, message: string, more = {}) =>
  client.post(`${pathOf(id)}/replies`, { message, ...more });

/** Adds an internal note. */
export const note = (client: Client, id: string, message: string) =>
  reply(client, id, message, { internal: true });

/** Opens a record for voting, or changes its title and public note. */
export const openVoting = (
  client: Client,
  id: string,
  title: string,
  publicNote?: string,
) => client.put(`${pathOf(id)}/voting`, { title, public_note: publicNote });

/** Changes the public note of a record that is open for voting. */
export const changePublicNote = (
  client: Client,
  id: string,
  publicNote: string,
) => client.put(`${pathOf(id)}/voting`, { public_note: publicNote });

/** Closes a record for voting. */
export const closeVoting = (client: Client, id: string) =>
  client.call('DELETE', `${pathOf(id)}/voting`);

/** Votes for a record. */
export const vote = (client: Client, id: string) =>
  client.call('PUT', `${pathOf(id)}/vote`);

/** Withdraws a vote. */
export const takeBack = (client: Client, id: string) =>
  client.call('DELETE', `${pathOf(id)}/vote`);
