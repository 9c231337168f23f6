import {
  type Administration,
  configuredToken,
  incomingWebhook,
  isoOf,
} from '@slipway/entity-contract';
import { type Forge, FORGE_TITLES, FORGES } from '@slipway/platform-guards';
import type { Kit } from './config.ts';

/** Returns the name under which uses of a forge's secret are recorded. */
export function secretOf(forge: Forge): string {
  return `forge-${forge}`;
}

/** Reports permissions, and the forges that may send webhooks. */
export async function reportExperience(
  kit: Pick<Kit, 'config' | 'uses'>,
): Promise<Administration> {
  const { config } = kit;
  const uses = await kit.uses.all();
  const forges = FORGES.filter(forge => config.forges[forge]).map(forge => {
    const id = secretOf(forge);
    return {
      id,
      name: `Activity from ${FORGE_TITLES[forge]}`,
      title: FORGE_TITLES[forge],
      lastAt: isoOf(uses.get(id)),
    };
  });
  return {
    roles: [
      {
        name: 'Admins',
        groups: [...config.admins],
        may: ['Read the audit log, tokens and webhooks'],
        key: 'spaceMetrics.admins',
      },
      {
        name: 'Every signed-in user',
        groups: [],
        may: [
          'Answer surveys, log friction and rate tasks',
          'Read the numbers of groups',
          'Read and delete own answers',
        ],
      },
      {
        name: 'API keys',
        groups: [],
        may: [
          'Submit answers and activity, and import them',
          'Read the numbers of groups',
          'Delete the answers of a person',
        ],
        key: 'spaceMetrics.auth.apiKeys',
      },
    ],
    tokens: forges.map(({ id, name, lastAt }) => ({
      ...configuredToken({ id, name, kind: 'webhook-secret' }),
      lastUsedAt: lastAt,
    })),
    webhooks: forges.map(({ id, name, title, lastAt }) =>
      incomingWebhook({ id, name, kind: title, lastAt }),
    ),
  };
}
