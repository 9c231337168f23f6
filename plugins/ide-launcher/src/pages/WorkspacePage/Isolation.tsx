import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Text } from '@backstage/ui';
import type { WorkspaceIsolation } from '@slipway/plugin-ide-launcher-common';
import { ideLauncherTranslationRef } from '../../translation';

/** How a workspace is kept apart, its limits, and what is not kept apart. */
export function Isolation({ isolation }: { isolation: WorkspaceIsolation }) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const { gaps, kind, limits, network } = isolation;
  const facts = [
    t(`isolation.${kind}`),
    kind !== 'none' && t(`isolation.network.${network}`),
    limits.memoryMebibytes !== null &&
      t('isolation.memory', { mebibytes: String(limits.memoryMebibytes) }),
    limits.processes !== null &&
      t('isolation.processes', { count: limits.processes }),
  ].filter(Boolean);
  return (
    <>
      {facts.join(', ')}
      {gaps.map(gap => (
        <Text key={gap} as="p" variant="body-small" color="secondary">
          {gap}
        </Text>
      ))}
    </>
  );
}
