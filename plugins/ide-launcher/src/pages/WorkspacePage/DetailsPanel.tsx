import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import {
  CopyButton,
  Details,
  Panel,
  RelativeTime,
} from '@slipway/design-system';
import type { WorkspaceDetails } from '@slipway/plugin-ide-launcher-common';
import { ideLauncherTranslationRef } from '../../translation';
import { Isolation } from './Isolation';

/** The facts about a workspace that seldom change. */
export function DetailsPanel({ workspace }: { workspace: WorkspaceDetails }) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const { devfile, editor } = workspace;
  return (
    <Panel title={t('workspace.details')}>
      <Details
        items={[
          {
            label: t('field.devfile'),
            value: (
              <Link href={workspace.devfileUrl} target="_blank" rel="noopener">
                {withVersion(devfile.name, devfile.version)}
              </Link>
            ),
          },
          { label: t('field.namespace'), value: workspace.namespace },
          {
            label: t('field.editor'),
            value: editor
              ? withVersion(editor.title, editor.version)
              : t('field.none'),
          },
          { label: t('field.runtime'), value: workspace.runtime },
          {
            label: t('field.isolation'),
            value: <Isolation isolation={workspace.isolation} />,
          },
          {
            label: t('field.created'),
            value: <RelativeTime value={workspace.createdAt} />,
          },
          {
            label: t('field.started'),
            value: workspace.startedAt ? (
              <RelativeTime value={workspace.startedAt} />
            ) : (
              t('field.never')
            ),
          },
          {
            label: t('field.lastUsed'),
            value: <RelativeTime value={workspace.lastUsed} />,
          },
          {
            label: t('workspace.id'),
            value: (
              <>
                {workspace.workspaceId}{' '}
                <CopyButton
                  text={workspace.workspaceId}
                  label={t('workspace.copyId')}
                />
              </>
            ),
          },
        ]}
      />
    </Panel>
  );
}

function withVersion(name: string, version: string | null): string {
  return version ? `${name} ${version}` : name;
}
