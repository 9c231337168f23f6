import { stringifyEntityRef } from '@backstage/catalog-model';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { useEntityRefLink } from '@backstage/plugin-catalog-react';
import { ButtonLink } from '@backstage/ui';
import { Button } from '@slipway/design-system';
import type { FoundLocation } from './importFlow';
import { LocationList } from './LocationList';
import { importPageTranslationRef } from './translation';
import styles from './ImportPage.module.css';

/** Shows the registered descriptors and entities, with links. */
export function DoneStep(props: {
  added: readonly FoundLocation[];
  refreshed: readonly FoundLocation[];
  onAgain(): void;
}) {
  const { t } = useTranslationRef(importPageTranslationRef);
  const { added, refreshed, onAgain } = props;
  const linkTo = useEntityRefLink();
  const [first] = [...added, ...refreshed].flatMap(({ entities }) => entities);
  return (
    <>
      <div role="status" className={styles.step}>
        {added.length > 0 && (
          <LocationList title={t('doneNew')} locations={added} />
        )}
        {refreshed.length > 0 && (
          <LocationList title={t('doneRefreshed')} locations={refreshed} />
        )}
      </div>
      <div className={styles.buttons}>
        {first && (
          <ButtonLink
            variant="primary"
            href={linkTo(stringifyEntityRef(first))}
          >
            {t('view', { name: first.name })}
          </ButtonLink>
        )}
        <Button variant="secondary" onPress={onAgain}>
          {t('another')}
        </Button>
      </div>
    </>
  );
}
