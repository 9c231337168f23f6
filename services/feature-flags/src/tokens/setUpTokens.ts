import type { CommonConfig, ServiceKit } from '@slipway/service-kit';
import type { FeatureFlagsConfig } from '../config.ts';
import type { ApiToken } from '../model/ApiToken.ts';
import type { Environments, Projects } from '../registers/registers.ts';
import { TokenStore } from '../storage/TokenStore.ts';
import { TokenRegistry } from './TokenRegistry.ts';
import { TokenAdmin } from './TokenAdmin.ts';

/** The use of tokens is stored once per this many checks for changes. */
const NOTED_EVERY = 30;

/**
 * Sets up the tokens of the configuration and of the database, and creates the environments that
 * the configured ones name. The registry contains the tokens of the database only after it is
 * reloaded.
 */
export async function setUpTokens(
  kit: ServiceKit<FeatureFlagsConfig & CommonConfig>,
  options: {
    environments: Environments;
    projects: Projects;
    configured: readonly ApiToken[];
  },
): Promise<{ registry: TokenRegistry; tokens: TokenAdmin }> {
  const { config, database, now } = kit;
  const { environments, projects, configured } = options;
  const { environment } = config;
  await ensureEnvironments(environments, [environment, ...configured]);
  const store = new TokenStore(database);
  const registry = new TokenRegistry({ store, configured });
  const tokens = new TokenAdmin({
    tokens: store,
    configured,
    environment,
    isEnvironment: async name =>
      (await environments.list()).some(each => each.name === name),
    isProject: async id => (await projects.list()).some(each => each.id === id),
    now,
    onChanged: () => registry.reload(),
  });
  kit.every({
    name: 'Recording the use of tokens',
    everyMs: NOTED_EVERY * config.pollMs,
    work: () => registry.noteUses(),
  });
  kit.onStop(() => registry.noteUses());
  return { registry, tokens };
}

/** Creates the environments named in the configuration if they do not exist. */
async function ensureEnvironments(
  environments: Environments,
  named: readonly (string | ApiToken)[],
): Promise<void> {
  const names = named.map(each =>
    typeof each === 'string' ? each : each.environment,
  );
  for (const name of new Set(names.filter(each => each !== '*'))) {
    const type = name === 'production' ? name : 'development';
    await environments.ensure(
      {
        name,
        type,
        sortOrder: 0,
        enabled: true,
        protected: false,
        requiredApprovals: 1,
      },
      'configuration',
    );
  }
}
