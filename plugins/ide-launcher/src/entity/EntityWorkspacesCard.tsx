import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { EntityInfoCard, useEntity } from '@backstage/plugin-catalog-react';
import { Flex, Link, Text } from '@backstage/ui';
import { ErrorPanel, LoadingRows } from '@slipway/design-system';
import { DEVFILE_ANNOTATION } from '@slipway/plugin-ide-launcher-common';
import { ReadFailure } from '@slipway/app-react';
import { WorkspaceLines } from '../components/WorkspaceLines';
import { useWorkspaceList } from '../data/workspaceQueries';
import { workspacesOfDevfile } from '../data/workspaceOrder';
import { ideLauncherTranslationRef } from '../translation';
import { OpenWorkspaceButton } from './OpenWorkspaceButton';
import { resolveDevfileUrl } from './resolveDevfileUrl';

/** On a component with a devfile: the caller's workspaces from it, and the way into one. */
export function EntityWorkspacesCard() {
  const { entity } = useEntity();
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const devfileUrl = resolveDevfileUrl(entity);
  if (!devfileUrl) {
    return (
      <EntityInfoCard title={t('card.title')}>
        <ErrorPanel
          title={t('card.badAnnotation')}
          advice={t('card.badAnnotationAdvice', {
            annotation: DEVFILE_ANNOTATION,
            value: entity.metadata.annotations?.[DEVFILE_ANNOTATION] ?? '',
          })}
        />
      </EntityInfoCard>
    );
  }
  return <DevfileWorkspaces devfileUrl={devfileUrl} />;
}

function DevfileWorkspaces({ devfileUrl }: { devfileUrl: string }) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const { data, error, isPending, refetch } = useWorkspaceList();
  const workspaces = data && workspacesOfDevfile(data.workspaces, devfileUrl);
  return (
    <EntityInfoCard
      title={t('card.title')}
      headerActions={
        workspaces && (
          <OpenWorkspaceButton
            devfileUrl={devfileUrl}
            reusable={workspaces[0]}
          />
        )
      }
    >
      <Flex direction="column" gap="2">
        {isPending && <LoadingRows label={t('card.loading')} rows={2} />}
        {error && (
          <ReadFailure
            title={t('card.readFailed')}
            error={error}
            onRetry={() => refetch()}
          />
        )}
        {workspaces?.length === 0 && (
          <Text as="p" color="secondary">
            {t('card.none')}
          </Text>
        )}
        {workspaces && workspaces.length > 0 && (
          <WorkspaceLines workspaces={workspaces} />
        )}
        <Text as="p" variant="body-small">
          <Link href={devfileUrl} target="_blank" rel="noopener">
            {t('card.devfile')}
          </Link>
        </Text>
      </Flex>
    </EntityInfoCard>
  );
}
