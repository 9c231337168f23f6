import definitions from '@octokit/webhooks-examples';
import { mapPayload } from '../../__testUtils__/mapping';

/** The fields of GitHub's own examples that tests change. */
interface Payload {
  action?: string;
  repository: { default_branch: string; pushed_at?: unknown };
  issue?: { labels: { name: string }[]; body: string | null };
  [field: string]: unknown;
}

/** Returns a copy of a recorded example of GitHub. */
export function example(name: string, matches: (payload: Payload) => boolean) {
  const found = definitions
    .filter(definition => definition.name === name)
    .flatMap(definition => definition.examples as unknown as Payload[])
    .find(matches);
  if (!found) {
    throw new Error(`No example of ${name}`);
  }
  return structuredClone(found);
}

/** Maps a delivery to events, with this configuration for GitHub. */
export function map(type: string, body: unknown, github = {}) {
  return mapPayload({ channel: 'github', type, body, webhooks: { github } });
}

export const SHA = 'f95f852bd8fca8fcc58a9a2d6c842781e32a215e';
/** Issues of the examples have this label. */
export const INCIDENT = { incidentLabels: ['Bug'] };
