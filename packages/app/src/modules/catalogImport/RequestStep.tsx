import { type FormEvent, useEffect, useState } from 'react';
import {
  configApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { catalogImportApiRef } from '@backstage/plugin-catalog-import';
import {
  catalogApiRef,
  humanizeEntityRef,
} from '@backstage/plugin-catalog-react';
import {
  Alert,
  Checkbox,
  Select,
  TextAreaField,
  TextField,
} from '@backstage/ui';
import { useErrorWords } from '@slipway/app-react';
import { Button, LoadingBlock, Panel } from '@slipway/design-system';
import { stringify } from 'yaml';
import { useLoaded } from '../../entities/useLoaded';
import type { FoundRepository, ImportState } from './importFlow';
import { importPageTranslationRef } from './translation';
import styles from './ImportPage.module.css';

/** Proposes a descriptor to a repository without one. */
export function RequestStep(props: {
  repository: FoundRepository;
  onBack(): void;
  onOpened(next: ImportState): void;
}) {
  const { t } = useTranslationRef(importPageTranslationRef);
  const { repository, onBack, onOpened } = props;
  const api = useApi(catalogImportApiRef);
  const errorWords = useErrorWords();
  const file =
    useApi(configApiRef).getOptionalString('catalog.import.entityFilename') ??
    'catalog-info.yaml';
  const groups = useGroups();
  const [fields, setFields] = useState(() => ({
    title: '',
    body: '',
    ...proposedBy(repository),
    usesFile: false,
  }));
  const [isChecked, setChecked] = useState(false);
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const defaults = useLoaded(
    async () => api.preparePullRequest?.() ?? { title: '', body: '' },
    [api],
  );
  useEffect(() => {
    if (defaults.state === 'ready') {
      setFields(current => ({ ...current, ...defaults.value }));
    }
  }, [defaults]);
  const entities = repository.generatedEntities.map(entity => ({
    ...entity,
    metadata: { ...entity.metadata, name: fields.component },
    spec: {
      ...entity.spec,
      ...(!fields.usesFile && fields.owner && { owner: fields.owner }),
    },
  }));
  const content = entities.map(entity => stringify(entity)).join('---\n');
  const { title, body, component, owner, usesFile } = fields;
  const isComplete =
    [title, body, component].every(text => text.trim() !== '') &&
    (usesFile || owner !== '');
  const open = async () => {
    setPending(true);
    setFailure(undefined);
    try {
      const { link, location } = await api.submitPullRequest({
        repositoryUrl: repository.url,
        fileContent: content,
        title,
        body,
      });
      onOpened({
        step: 'review',
        pullRequest: link,
        locations: [
          {
            target: location,
            exists: false,
            entities: entities.map(({ kind, metadata }) => ({
              kind: kind ?? 'Component',
              namespace: metadata.namespace ?? 'default',
              name: metadata.name,
            })),
          },
        ],
      });
    } catch (error) {
      setFailure(errorWords(error));
      setPending(false);
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (isComplete && !isPending) {
      void open();
    }
  };
  if (defaults.state === 'loading') {
    return <LoadingBlock label={t('steps.request')} height={320} />;
  }
  const textField = (key: 'title' | 'body' | 'component') => ({
    value: fields[key],
    onChange: (value: string) =>
      setFields(current => ({ ...current, [key]: value })),
    isRequired: true,
    isInvalid: isChecked && fields[key].trim() === '',
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      {failure && (
        <div role="alert">
          <Alert
            status="danger"
            icon
            title={t('requestFailed')}
            description={failure}
          />
        </div>
      )}
      <p>{t('requestText', { file })}</p>
      <TextField label={t('requestTitle')} {...textField('title')} />
      <TextAreaField label={t('requestBody')} rows={6} {...textField('body')} />
      <TextField label={t('component')} {...textField('component')} />
      {!usesFile && (
        <Select
          label={t('owner')}
          isRequired
          value={owner || null}
          onChange={value =>
            setFields(current => ({ ...current, owner: String(value) }))
          }
          isInvalid={isChecked && owner === ''}
          description={
            isChecked && owner === '' ? t('ownerMissing') : undefined
          }
          options={[...new Set([...groups, ...(owner ? [owner] : [])])].map(
            value => ({ value, label: value }),
          )}
        />
      )}
      <Checkbox
        isSelected={usesFile}
        onChange={value =>
          setFields(current => ({ ...current, usesFile: value }))
        }
      >
        {t('ownerFromFile')}
      </Checkbox>
      <Panel title={t('preview', { file })}>
        <pre className={styles.preview}>{content}</pre>
      </Panel>
      <div className={styles.buttons}>
        <Button variant="primary" type="submit" isPending={isPending}>
          {t('open')}
        </Button>
        <Button variant="secondary" onPress={onBack}>
          {t('back')}
        </Button>
      </div>
    </form>
  );
}

/** Returns the name and owner proposed by the analysis. */
function proposedBy({ generatedEntities: [first] }: FoundRepository) {
  const owner = first?.spec?.owner;
  return {
    component: first?.metadata?.name ?? '',
    owner: typeof owner === 'string' ? owner : '',
  };
}

/** Returns references to the catalog's groups, as written in descriptors. */
function useGroups(): readonly string[] {
  const catalogApi = useApi(catalogApiRef);
  const groups = useLoaded(async () => {
    const { items } = await catalogApi.getEntities({
      filter: { kind: 'group' },
      fields: ['kind', 'metadata.name', 'metadata.namespace'],
    });
    return items
      .map(group => humanizeEntityRef(group, { defaultKind: 'group' }))
      .sort();
  }, [catalogApi]);
  return groups.state === 'ready' ? groups.value : [];
}
