import { useState } from 'react';
import { Entity, stringifyEntityRef } from '@backstage/catalog-model';
import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import { catalogApiRef } from '@backstage/plugin-catalog-react';
import { ButtonLink, Link, SearchField } from '@backstage/ui';
import { useDebounced, useErrorWords } from '@slipway/app-react';
import {
  EmptyState,
  ErrorPanel,
  LoadingRows,
  Page,
  PageHeader,
  Panel,
} from '@slipway/design-system';
import { appTranslationRef } from '../../translation';
import { describeKind } from '../../entities/describeKind';
import { type Loaded, useLoaded } from '../../entities/useLoaded';
import { graphHref } from './graphAddress';
import './GraphStart.css';

const LIMIT = 20;

/** Debounce of typing, in milliseconds. */
const PAUSE_MS = 150;

/** Without a limit, the graph might contain the whole catalog. */
const DEPTH = '2';

interface Choices {
  items: Entity[];
  total: number;
}

/** Lets the user choose where the catalog graph starts. */
export function GraphStart() {
  const { t } = useTranslationRef(appTranslationRef);
  const catalogApi = useApi(catalogApiRef);
  const [typed, setTyped] = useState('');
  const term = useDebounced(typed.trim(), PAUSE_MS);
  const choices = useLoaded(async () => {
    const { items, totalItems } = await catalogApi.queryEntities({
      filter: { kind: ['component', 'system', 'api', 'resource'] },
      fullTextFilter: {
        term,
        fields: ['metadata.name', 'metadata.title'],
      },
      fields: [
        'kind',
        'metadata.name',
        'metadata.namespace',
        'metadata.title',
        'spec.type',
      ],
      orderFields: [{ field: 'metadata.name', order: 'asc' }],
      limit: LIMIT,
    });
    return { items, total: totalItems };
  }, [catalogApi, term]);

  return (
    <Page
      header={
        <PageHeader
          title={t('graph.title')}
          description={t('graph.description')}
        />
      }
    >
      <SearchField
        className="slw-GraphSearch"
        aria-label={t('graph.search')}
        placeholder={t('graph.search')}
        value={typed}
        onChange={setTyped}
      />
      <Panel title={t('graph.choices')} padded={false}>
        <ChoiceList choices={choices} isNarrowed={term !== ''} />
      </Panel>
    </Page>
  );
}

function ChoiceList(props: { choices: Loaded<Choices>; isNarrowed: boolean }) {
  const { choices, isNarrowed } = props;
  const { t } = useTranslationRef(appTranslationRef);
  const errorWords = useErrorWords();
  if (choices.state === 'loading') {
    return <LoadingRows label={t('graph.loading')} rows={6} />;
  }
  if (choices.state === 'failed') {
    return (
      <div className="slw-GraphState">
        <ErrorPanel
          title={t('graph.failed')}
          message={errorWords(choices.error)}
          onRetry={choices.retry}
        />
      </div>
    );
  }
  const { items, total } = choices.value;
  if (items.length === 0) {
    return (
      <div className="slw-GraphState">
        <EmptyState
          level={3}
          title={t(isNarrowed ? 'graph.noMatch' : 'graph.noneTitle')}
          description={t(isNarrowed ? 'graph.noMatchText' : 'graph.noneText')}
          action={
            <ButtonLink size="small" variant="secondary" href="/catalog">
              {t('graph.browse')}
            </ButtonLink>
          }
        />
      </div>
    );
  }
  return (
    <>
      <ul className="slw-GraphChoices">
        {items.map(entity => {
          const ref = stringifyEntityRef(entity);
          return (
            <li key={ref}>
              <Link
                href={graphHref({ rootEntityRefs: [ref], maxDepth: DEPTH })}
              >
                {entity.metadata.title ?? entity.metadata.name}
              </Link>
              <span>{describeKind(entity)}</span>
            </li>
          );
        })}
      </ul>
      {total > items.length && (
        <p className="slw-GraphMore">
          {t('graph.more', { total: String(total) })}
        </p>
      )}
    </>
  );
}
