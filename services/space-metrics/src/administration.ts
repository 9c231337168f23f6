import {
  type Administration,
  configuredToken,
  incomingWebhook,
} from '@slipway/entity-contract';
import { FORGE_TITLES, FORGES } from '@slipway/platform-guards';
import type { Kit } from './config.ts';

/** Reports who may do what, and the forges that may send webhooks. */
export function reportExperience({ config }: Kit): Administration {
  const forges = FORGES.filter(forge => config.forges[forge]);
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
    tokens: forges.map(forge =>
      configuredToken({
        id: `forge-${forge}`,
        name: `Activity from ${FORGE_TITLES[forge]}`,
        kind: 'webhook-secret',
      }),
    ),
    webhooks: forges.map(forge =>
      incomingWebhook({
        id: `forge-${forge}`,
        name: `Activity from ${FORGE_TITLES[forge]}`,
        kind: FORGE_TITLES[forge],
      }),
    ),
  };
}
