import type { RootConfigService } from '@backstage/backend-plugin-api';
import {
  type Administration,
  configuredToken,
  type Role,
  type Token,
} from '@slipway/entity-contract';
import { ADMIN_PERMISSIONS, readAdminGroups } from '@slipway/portal-kit';

type Config = RootConfigService;
type Section = ReturnType<Config['getConfig']>;

/** Keys of credentials in the configuration of an integration. */
const CREDENTIALS = ['token', 'apps', 'credentials', 'appPassword', 'password'];

/** Lists the portal's roles and the tokens in its configuration. */
export function reportPortal(config: Config): Administration {
  return {
    roles: rolesOf(readAdminGroups(config)),
    tokens: [
      ...listOf(config, 'backend.auth.externalAccess').map(serviceToken),
      ...integrationTokens(config),
      ...listOf(config, 'notifications.processors.slack').map((_, index) =>
        configuredToken({
          id: `slack-${index}`,
          name: 'Notifications in Slack',
          kind: 'outgoing',
        }),
      ),
    ],
    webhooks: [],
  };
}

function rolesOf(adminGroups: readonly string[]): Role[] {
  return [
    {
      name: 'Platform admins',
      groups: [...adminGroups],
      may: ['Every permission with .admin. in its name', ...ADMIN_PERMISSIONS],
      key: 'slipway.adminGroups',
    },
    {
      name: 'Every signed-in user',
      groups: [],
      may: ['Every permission that is not for admins'],
    },
    {
      name: 'Service tokens',
      groups: [],
      may: ['Every permission, unless the configuration restricts the token'],
      key: 'backend.auth.externalAccess',
    },
  ];
}

function serviceToken(access: Section, index: number): Token {
  const type = access.getString('type');
  return configuredToken({
    id: `external-${index}`,
    name:
      access.getOptionalString('options.subject') ??
      access.getOptionalString('options.subjectPrefix') ??
      type,
    kind: 'service-token',
    scopes: listOf(access, 'accessRestrictions').flatMap(scopesOf),
  });
}

/** Returns what a restriction allows: a plugin, or some of its permissions. */
function scopesOf(restriction: Section): string[] {
  const plugin = restriction.getString('plugin');
  const named = textsAt(restriction, 'permission');
  const actions = textsAt(restriction, 'permissionAttribute.action');
  return named.length > 0
    ? named
    : [actions.length > 0 ? `${plugin}: ${actions.join(', ')}` : plugin];
}

/** Reads a string, a comma-separated string or a list of strings as a list. */
function textsAt(section: Section, key: string): string[] {
  const value = section.getOptional(key);
  return [value ?? []]
    .flat()
    .flatMap(each => String(each).split(','))
    .map(each => each.trim());
}

/** Lists the credentials with which the portal reads from forges and other sources. */
function integrationTokens(config: Config): Token[] {
  const integrations = config.getOptionalConfig('integrations');
  return (integrations?.keys() ?? []).flatMap(type =>
    listOf(integrations!, type).flatMap((each, index) =>
      CREDENTIALS.some(key => each.has(key))
        ? [
            configuredToken({
              id: `integration-${type}-${index}`,
              name: `Catalog and devfiles from ${
                each.getOptionalString('host') ?? type
              }`,
              kind: 'outgoing',
            }),
          ]
        : [],
    ),
  );
}

/** Reads a list of sections; empty if there is none. */
function listOf(config: Config | Section, key: string): Section[] {
  return Array.isArray(config.getOptional(key))
    ? config.getConfigArray(key)
    : [];
}
