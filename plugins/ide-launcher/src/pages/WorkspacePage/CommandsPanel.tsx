import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Text } from '@backstage/ui';
import { CodeLine, Panel } from '@slipway/design-system';
import type { WorkspaceCommand } from '@slipway/plugin-ide-launcher-common';
import { ideLauncherTranslationRef } from '../../translation';
import styles from './WorkspacePage.module.css';

/** The devfile's commands, to copy; they run as tasks of the IDE. */
export function CommandsPanel(props: {
  commands: readonly WorkspaceCommand[];
}) {
  const { commands } = props;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  return (
    <Panel title={t('workspace.commands')}>
      <Text as="p" color="secondary">
        {commands.length === 0
          ? t('workspace.commandsEmpty')
          : t('workspace.commandsHint')}
      </Text>
      <ul className={styles.list}>
        {commands.map(({ id, label, commandLine, group, kind }) => (
          <li key={id} className={styles.row}>
            <Text>
              {label}
              <Text as="span" color="secondary">
                {` (${group ?? kind})`}
              </Text>
            </Text>
            {commandLine && (
              <CodeLine
                code={commandLine}
                label={t('workspace.copyCommand', { label })}
              />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
