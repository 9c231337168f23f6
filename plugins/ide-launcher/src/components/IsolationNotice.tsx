import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert, Button } from '@backstage/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useErrorWords } from '@slipway/app-react';
import { ideLauncherApiRef } from '../api/IdeLauncherApi';
import { queryKeys, useWorkspaceOptions } from '../data/workspaceQueries';
import { useWorkspacePermissions } from '../data/useWorkspacePermissions';
import { ideLauncherTranslationRef } from '../translation';

/**
 * Says that workspaces run without isolation, and lets an administrator accept that once,
 * before which none starts. Shows nothing where workspaces are isolated.
 */
export function IsolationNotice() {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const errorWords = useErrorWords();
  const api = useApi(ideLauncherApiRef);
  const client = useQueryClient();
  const isolation = useWorkspaceOptions().data?.runtime.isolation;
  const { mayAcceptUnisolated } = useWorkspacePermissions();
  const accept = useMutation({
    mutationFn: () => api.acceptUnisolated(),
    onSuccess: options => client.setQueryData(queryKeys.options, options),
  });

  if (!isolation?.acceptance) {
    return null;
  }
  const { accepted, acceptedBy } = isolation.acceptance;
  const answered = acceptedBy
    ? t('isolation.acceptedBy', { who: acceptedBy })
    : t('isolation.acceptedByConfiguration');
  const open = mayAcceptUnisolated
    ? t('isolation.acceptFirst')
    : t('isolation.askAdministrator');
  return (
    <div role={accept.error ? 'alert' : undefined}>
      <Alert
        status={accepted ? 'warning' : 'danger'}
        icon
        title={t('isolation.noticeTitle')}
        description={[
          ...isolation.gaps,
          accepted ? answered : open,
          ...(accept.error ? [errorWords(accept.error)] : []),
        ].join(' ')}
        customActions={
          !accepted &&
          mayAcceptUnisolated && (
            <Button
              variant="secondary"
              isPending={accept.isPending}
              onPress={() => accept.mutate()}
            >
              {t('isolation.accept')}
            </Button>
          )
        }
      />
    </div>
  );
}
