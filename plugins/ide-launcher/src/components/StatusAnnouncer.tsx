import { useEffect, useRef, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { VisuallyHidden } from '@backstage/ui';
import type { WorkspaceListItem } from '@slipway/plugin-ide-launcher-common';
import { type DisplayStatus, displayStatus } from '../data/displayStatus';
import { ideLauncherTranslationRef } from '../translation';

/** Tells screen readers of workspaces that changed state since they were first shown. */
export function StatusAnnouncer(props: {
  workspaces: readonly Pick<
    WorkspaceListItem,
    'workspaceId' | 'name' | 'status' | 'failed'
  >[];
}) {
  const { workspaces } = props;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const known = useRef(new Map<string, DisplayStatus>());
  const [text, setText] = useState('');
  useEffect(() => {
    const changes: string[] = [];
    for (const workspace of workspaces) {
      const status = displayStatus(workspace);
      const before = known.current.get(workspace.workspaceId);
      known.current.set(workspace.workspaceId, status);
      if (before !== undefined && before !== status) {
        changes.push(
          t('status.changed', {
            name: workspace.name,
            status: t(`status.${status}`),
          }),
        );
      }
    }
    if (changes.length > 0) {
      setText(changes.join('. '));
    }
  }, [workspaces, t]);
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {text}
    </VisuallyHidden>
  );
}
