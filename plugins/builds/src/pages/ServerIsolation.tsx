import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Details, Panel } from '@slipway/design-system';
import type {
  ContainerIsolation,
  ServerIsolation as Isolation,
} from '../api/types';
import { useIsolation } from '../queries';
import { buildsTranslationRef, type Translate } from '../translation';
import styles from './AgentsPage.module.css';

/** Shows how the build server itself isolates steps and containers, according to its own tests. */
export function ServerIsolation() {
  const { t } = useTranslationRef(buildsTranslationRef);
  const { data } = useIsolation();
  if (!data) {
    return null;
  }
  const { containers } = data;
  const gaps = [...new Set([...data.gaps, ...(containers?.gaps ?? [])])];
  return (
    <Panel title={t('isolation.server')}>
      <Details
        items={[
          { label: t('isolation.steps'), value: stepWords(t, data) },
          {
            label: t('isolation.containers'),
            value: containers
              ? containerWords(t, containers)
              : t('isolation.noContainers'),
          },
        ]}
      />
      {gaps.length > 0 && (
        <>
          <h3 className={styles.gapsTitle}>{t('isolation.gaps')}</h3>
          <ul className={styles.gaps}>
            {gaps.map(gap => (
              <li key={gap}>
                {gap.split('`').map((part, index) =>
                  // Text between backticks is code.
                  index % 2 === 1 ? <code key={index}>{part}</code> : part,
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

function stepWords(t: Translate, { kind, limits }: Isolation): string {
  if (kind === 'none' || kind === 'elsewhere') {
    return t(`isolation.${kind}`);
  }
  return limits === null ? kind : t('agents.limits', { kind, limits });
}

/** Says what runs containers, and how it limits them, or why it does not. */
export function containerWords(
  t: Translate,
  { engine, fault, kind, limits }: ContainerIsolation,
): string {
  if (fault !== null) {
    return t('isolation.stopped', { reason: fault });
  }
  const name = engine ?? kind;
  return limits === null ? name : t('agents.limits', { kind: name, limits });
}
