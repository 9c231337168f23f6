import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Flex, Text } from '@backstage/ui';
import { EmptyState } from '@slipway/design-system';
import { SampleList } from '../../components/create/SampleList';
import { useWorkspaceOptions } from '../../data/workspaceQueries';
import { useWorkspacePermissions } from '../../data/useWorkspacePermissions';
import { ideLauncherTranslationRef } from '../../translation';

/** What stands in place of an empty list: what will be here, and the next step. */
export function NoWorkspaces(props: {
  onCreate: (devfileUrl?: string) => void;
}) {
  const { onCreate } = props;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const { isPending, mayCreate } = useWorkspacePermissions();
  const options = useWorkspaceOptions();
  const samples = options.data?.samples ?? [];
  if (!mayCreate) {
    return isPending ? null : (
      <EmptyState
        title={t('list.emptyTitle')}
        description={t('list.noPermission')}
      />
    );
  }
  return (
    <Flex direction="column" gap="4">
      <EmptyState
        title={t('list.emptyTitle')}
        description={t('list.emptyDescription')}
        action={
          <Button variant="secondary" onPress={() => onCreate()}>
            {t('action.create')}
          </Button>
        }
      />
      {samples.length > 0 && (
        <section aria-labelledby="ide-launcher-samples">
          <Text as="h2" variant="title-x-small" id="ide-launcher-samples">
            {t('list.samples')}
          </Text>
          <SampleList samples={samples} onSelect={onCreate} />
        </section>
      )}
    </Flex>
  );
}
