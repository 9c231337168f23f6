import type { CommonConfig, ServiceKit } from '@slipway/service-kit';
import type { FeatureFlagsConfig } from '../config.ts';
import { RevisionListener } from './RevisionListener.ts';
import { readRevisions, type RevisionSubject } from './revisions.ts';

/**
 * Follows the writes of other replicas: reads the revisions, one small row each, and reloads the
 * subjects whose revisions have changed. It polls the revisions in any case, and also reads them
 * as soon as the database sends a notification. Resolves once everything has been read.
 *
 * @param reload - reloads a subject.
 */
export async function followReplicas(
  kit: ServiceKit<FeatureFlagsConfig & CommonConfig>,
  reload: Readonly<Record<RevisionSubject, () => Promise<void>>>,
): Promise<void> {
  const { database, config } = kit;
  const seen = new Map<RevisionSubject, string>();

  async function look(): Promise<void> {
    const revisions = await readRevisions(database.knex);
    for (const subject of ['flags', 'tokens'] as const) {
      const { revision, lineage } = revisions[subject];
      const mark = `${lineage}:${revision}`;
      if (seen.get(subject) !== mark) {
        await reload[subject]();
        seen.set(subject, mark);
      }
    }
  }

  await look();
  kit.every({
    name: 'Following changes of flags',
    everyMs: config.pollMs,
    work: look,
  });
  const listener = new RevisionListener({
    database,
    onChange: () => void look().catch(() => {}),
  });
  kit.onStart(() => listener.start());
  kit.onStop(() => listener.stop());
}
