import type { Kit } from '../config.ts';
import { pageOf } from '../reporting/reportBuilds.ts';
import { AgentStore } from '../storage/AgentStore.ts';
import { AgentDesk, type DeskOptions } from './AgentDesk.ts';
import { LostBuilds } from './LostBuilds.ts';

/** Sets up the services and routes for agents. */
export function setUpAgents(
  kit: Kit,
  parts: Pick<
    DeskOptions,
    | 'store'
    | 'jobs'
    | 'logs'
    | 'artifacts'
    | 'gates'
    | 'caches'
    | 'others'
    | 'secrets'
    | 'ownLabels'
    | 'onStarted'
    | 'onEnded'
  >,
): { agents: AgentStore; desk: AgentDesk; lost: LostBuilds } {
  const { config, database, now } = kit;
  const lost = new LostBuilds({ ...parts, now });
  const agents = new AgentStore(database);
  const desk = new AgentDesk({
    ...parts,
    ...{ agents, lost, now },
    git: config.git,
    limits: {
      logBytes: config.logs.maxBytes,
      artifactBytes: config.artifacts.maxBytes,
    },
    leaseMs: config.agents.leaseSeconds * 1_000,
    urlOf: build => pageOf(kit.portal.appUrl, build),
  });
  // Runs before shutdown waits for open requests: long-polling ones would delay it.
  kit.app.addHook('preClose', async () => desk.close());
  return { agents, desk, lost };
}
