import { type FormEvent, useState } from 'react';
import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import { scmIntegrationsApiRef } from '@backstage/integration-react';
import { catalogImportApiRef } from '@backstage/plugin-catalog-import';
import { Alert, TextField } from '@backstage/ui';
import { useErrorWords } from '@slipway/app-react';
import { Button } from '@slipway/design-system';
import { type ImportState, stepAfter } from './importFlow';
import { importPageTranslationRef } from './translation';

/** The source code systems where Backstage can search repositories for descriptors. */
const REPOSITORIES = { github: 'GitHub', azure: 'Azure DevOps' };

/** Asks for a URL, and looks for descriptors there. */
export function AddressStep(props: {
  url: string;
  onUrl(url: string): void;
  onFound(next: ImportState): void;
}) {
  const { t } = useTranslationRef(importPageTranslationRef);
  const { url, onUrl, onFound } = props;
  const api = useApi(catalogImportApiRef);
  const errorWords = useErrorWords();
  const [isPending, setPending] = useState(false);
  const [isInvalid, setInvalid] = useState(false);
  const [failure, setFailure] = useState<string>();
  const systems = useRepositorySystems();
  const help = systems ? t('urlText', { systems }) : t('urlTextFile');
  const analyze = async () => {
    setPending(true);
    setFailure(undefined);
    try {
      const result = await api.analyzeUrl(url.trim());
      const next = stepAfter(result, api.preparePullRequest !== undefined);
      if (next) {
        onFound(next);
        return;
      }
      setFailure(t('nothing'));
    } catch (error) {
      setFailure(errorWords(error));
    }
    setPending(false);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const isAddress = /^https?:\/\/\S+$/.test(url.trim());
    setInvalid(!isAddress);
    if (isAddress && !isPending) {
      void analyze();
    }
  };
  return (
    <form onSubmit={onSubmit} noValidate>
      {failure && (
        <div role="alert">
          <Alert
            status="danger"
            icon
            title={t('analyzeFailed')}
            description={failure}
          />
        </div>
      )}
      <p>{t('learn')}</p>
      <TextField
        label={t('url')}
        type="url"
        value={url}
        onChange={onUrl}
        isInvalid={isInvalid}
        isRequired
        description={isInvalid ? t('urlInvalid') : help}
      />
      <Button variant="primary" type="submit" isPending={isPending}>
        {t('analyze')}
      </Button>
    </form>
  );
}

/** Returns the names of the configured systems with repositories that can be analyzed. */
function useRepositorySystems(): string {
  const configured = useApi(scmIntegrationsApiRef).list();
  const titles = Object.entries(REPOSITORIES)
    .filter(([name]) => configured.some(({ type }) => type === name))
    .map(([, title]) => title);
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(titles);
}
