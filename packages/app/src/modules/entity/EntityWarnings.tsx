import { useState } from 'react';
import { type Entity, stringifyEntityRef } from '@backstage/catalog-model';
import {
  useApi,
  useRouteRef,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import catalogPlugin from '@backstage/plugin-catalog/alpha';
import { catalogEntityDeletePermission } from '@backstage/plugin-catalog-common/alpha';
import {
  catalogApiRef,
  useEntity,
  useEntityPresentation,
} from '@backstage/plugin-catalog-react';
import { useEntityPermission } from '@backstage/plugin-catalog-react/alpha';
import { Alert, Button } from '@backstage/ui';
import { useErrorWords } from '@slipway/app-react';
import { ConfirmDialog } from '@slipway/design-system';
import { useNavigate } from 'react-router-dom';
import { EntityLink } from '../../entities/EntityLinks';
import { useLoaded } from '../../entities/useLoaded';
import { isOrphan, missingRelations, processingErrors } from './entityFaults';
import { entityTranslationRef } from './translation';
import styles from './EntityOverview.module.css';

/**
 * Warns of problems with an entity in the catalog: its location no longer lists it, it is related to
 * entities that are missing, or it could not be processed. Shows nothing otherwise, and nothing for a
 * check that fails.
 */
export function EntityWarnings() {
  const { entity } = useEntity();
  return (
    <div className={styles.warnings}>
      {isOrphan(entity) && <OrphanWarning entity={entity} />}
      <MissingRelations entity={entity} />
      <ProcessingErrors entity={entity} />
    </div>
  );
}

function OrphanWarning({ entity }: { entity: Entity }) {
  const { t } = useTranslationRef(entityTranslationRef);
  const catalogApi = useApi(catalogApiRef);
  const errorWords = useErrorWords();
  const catalogPage = useRouteRef(catalogPlugin.routes.catalogIndex);
  const navigate = useNavigate();
  const { primaryTitle: name } = useEntityPresentation(entity);
  const { allowed } = useEntityPermission(catalogEntityDeletePermission);
  const [isAsking, setIsAsking] = useState(false);
  const { uid } = entity.metadata;
  return (
    <>
      <Alert
        status="warning"
        icon
        title={t('warnings.orphan', { name })}
        description={t('warnings.orphanAdvice')}
        customActions={
          allowed &&
          uid && (
            <Button
              size="small"
              variant="secondary"
              onPress={() => setIsAsking(true)}
            >
              {t('warnings.delete')}
            </Button>
          )
        }
      />
      {uid && (
        <ConfirmDialog
          isOpen={isAsking}
          onOpenChange={setIsAsking}
          title={t('warnings.deleteTitle', { name })}
          confirmLabel={t('warnings.delete')}
          describeError={errorWords}
          onConfirm={async () => {
            await catalogApi.removeEntityByUid(uid);
            navigate(catalogPage?.() ?? '/');
          }}
        >
          {t('warnings.deleteText')}
        </ConfirmDialog>
      )}
    </>
  );
}

function MissingRelations({ entity }: { entity: Entity }) {
  const { t } = useTranslationRef(entityTranslationRef);
  const catalogApi = useApi(catalogApiRef);
  const { primaryTitle: name } = useEntityPresentation(entity);
  const missing = useLoaded(
    () => missingRelations(catalogApi, entity),
    [catalogApi, entity],
  );
  if (missing.state !== 'ready' || missing.value.length === 0) {
    return null;
  }
  return (
    <Alert
      status="warning"
      icon
      title={t('warnings.missing', { name, count: missing.value.length })}
      description={
        <>
          <span>{t('warnings.missingAdvice')}</span>
          <ul className={styles.causes}>
            {missing.value.map(ref => (
              <li key={ref}>
                <code>{ref}</code>
              </li>
            ))}
          </ul>
        </>
      }
    />
  );
}

function ProcessingErrors({ entity }: { entity: Entity }) {
  const { t } = useTranslationRef(entityTranslationRef);
  const catalogApi = useApi(catalogApiRef);
  const { primaryTitle: name } = useEntityPresentation(entity);
  const ownRef = stringifyEntityRef(entity);
  const errors = useLoaded(
    () => processingErrors(catalogApi, entity),
    [catalogApi, entity],
  );
  if (errors.state !== 'ready') {
    return null;
  }
  return (
    <>
      {errors.value.map(({ ref, messages }) => (
        <Alert
          key={ref}
          status="danger"
          icon
          title={t(
            ref === ownRef ? 'warnings.failed' : 'warnings.sourceFailed',
            {
              name,
            },
          )}
          description={
            <>
              {ref !== ownRef && <EntityLink entityRef={ref} />}
              <ul className={styles.causes}>
                {messages.map(message => (
                  <li key={message}>{message}</li>
                ))}
              </ul>
            </>
          }
        />
      ))}
    </>
  );
}
