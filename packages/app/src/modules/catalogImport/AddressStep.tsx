import { type FormEvent, useState } from 'react';
import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import { scmIntegrationsApiRef } from '@backstage/integration-react';
import { catalogImportApiRef } from '@backstage/plugin-catalog-import';
import { Alert, TextField } from '@backstage/ui';
import { readFailedCall, useErrorWords } from '@slipway/app-react';
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
  const [failure, setFailure] = useState<{ title: string; text: string }>();
  const { systems, isRepository } = useRepositories();
  const help = systems ? t('urlText', { systems }) : t('urlTextFile');
  const refuse = (text: string, title: string = t('analyzeFailed')) =>
    setFailure({ title, text });
  const analyze = async () => {
    setPending(true);
    try {
      const result = await api.analyzeUrl(url.trim());
      const next = stepAfter(result, api.preparePullRequest !== undefined);
      if (next) {
        onFound(next);
        return;
      }
      refuse(t('nothing'));
    } catch (error) {
      const isTaken = readFailedCall(error).status === 409;
      refuse(errorWords(error), isTaken ? t('taken') : undefined);
    }
    setPending(false);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const address = url.trim();
    const isAddress = /^https?:\/\/\S+$/.test(address) && URL.canParse(address);
    if (isPending) {
      return;
    }
    setInvalid(!isAddress);
    setFailure(undefined);
    if (!isAddress) {
      return;
    }
    if (isFile(address) || isRepository(address)) {
      void analyze();
    } else {
      // Backstage's own message names systems that may not be configured.
      refuse(systems ? t('noFileOrRepository', { systems }) : t('noFile'));
    }
  };
  return (
    <form onSubmit={onSubmit} noValidate>
      {failure && (
        <div role="alert">
          <Alert
            status="danger"
            icon
            title={failure.title}
            description={failure.text}
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

/** Checks whether an address is that of a descriptor, by the same rule as Backstage's analysis. */
function isFile(address: string): boolean {
  const { pathname, searchParams } = new URL(address);
  return [pathname, searchParams.get('path') ?? ''].some(path =>
    /\.ya?ml$/.test(path),
  );
}

/**
 * Returns the names of the configured systems with repositories that can be analyzed, and whether an
 * address belongs to one of them.
 */
function useRepositories() {
  const integrations = useApi(scmIntegrationsApiRef);
  const configured = integrations.list();
  const titles = Object.entries(REPOSITORIES)
    .filter(([name]) => configured.some(({ type }) => type === name))
    .map(([, title]) => title);
  return {
    systems: new Intl.ListFormat('en', { type: 'disjunction' }).format(titles),
    isRepository: (address: string) =>
      (integrations.byUrl(address)?.type ?? '') in REPOSITORIES,
  };
}
