import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert } from '@backstage/ui';
import type { EditorAvailability } from '@slipway/plugin-ide-launcher-common';
import { ideLauncherTranslationRef } from '../../translation';

/** Says beforehand that a workspace will have to wait for its editor; nothing when it is ready. */
export function EditorNotice({ editor }: { editor: EditorAvailability }) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  switch (editor.state) {
    case 'ready':
      return null;
    case 'installing':
      return (
        <Alert
          status="info"
          icon
          title={
            editor.progress === null
              ? t('create.editorInstalling')
              : t('create.editorInstallingProgress', {
                  percent: String(Math.round(editor.progress * 100)),
                })
          }
          description={editor.message}
        />
      );
    case 'missing':
      return (
        <Alert
          status="warning"
          icon
          title={t('create.editorMissing')}
          description={editor.message}
        />
      );
    default:
      return editor.state satisfies never;
  }
}
