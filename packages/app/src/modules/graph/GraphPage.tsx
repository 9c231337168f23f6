import { type MouseEvent, type ReactNode, useMemo } from 'react';
import { parseEntityRef, stringifyEntityRef } from '@backstage/catalog-model';
import { useApi, useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  catalogGraphApiRef,
  Direction,
  type EntityNode,
  EntityRelationsGraph,
  type EntityRelationsGraphProps,
} from '@backstage/plugin-catalog-graph';
import {
  catalogApiRef,
  useEntityPresentation,
  useEntityRefLink,
} from '@backstage/plugin-catalog-react';
import { ButtonLink } from '@backstage/ui';
import { useErrorWords } from '@slipway/app-react';
import {
  EmptyState,
  ErrorPanel,
  LoadingBlock,
  Page,
  PageHeader,
} from '@slipway/design-system';
import { useNavigate } from 'react-router-dom';
import { appTranslationRef } from '../../translation';
import { useLoaded } from '../../entities/useLoaded';
import { renderEntityNode } from './EntityNode';
import { type GraphAddress, useGraphAddress } from './graphAddress';
import { GraphFilters } from './GraphFilters';
import './GraphPage.css';

/** Props of {@link GraphPage}: the configuration of the extension. */
export interface GraphPageProps {
  defaults: Partial<GraphAddress>;
  /** The entities and relations that the graph supports, and how it draws them. */
  fixed: Pick<
    EntityRelationsGraphProps,
    'kinds' | 'relations' | 'relationPairs' | 'showArrowHeads' | 'zoom'
  >;
}

/** Shows the catalog as a graph, starting from the entities in the URL. */
export function GraphPage({ defaults, fixed }: GraphPageProps) {
  const { t } = useTranslationRef(appTranslationRef);
  const catalogApi = useApi(catalogApiRef);
  const errorWords = useErrorWords();
  const { values, change } = useGraphAddress(defaults);
  const roots = values.rootEntityRefs;
  const { knownRelations } = useApi(catalogGraphApiRef);
  const loaded = useLoaded(async () => {
    const { items } = await catalogApi.getEntitiesByRefs({
      entityRefs: [...roots],
      fields: ['kind', 'metadata.name', 'metadata.namespace'],
    });
    return items.flatMap(entity =>
      entity ? [stringifyEntityRef(entity)] : [],
    );
  }, [catalogApi, roots.join(' ')]);
  let content: ReactNode;
  if (loaded.state === 'failed') {
    content = (
      <ErrorPanel
        title={t('graph.failed')}
        message={errorWords(loaded.error)}
        onRetry={loaded.retry}
      />
    );
  } else if (loaded.state === 'loading') {
    content = <LoadingBlock label={t('graph.loading')} height={560} />;
  } else if (loaded.value.length === 0) {
    content = (
      <EmptyState
        title={t('graph.goneTitle')}
        description={t('graph.goneText', { ref: roots.join(', ') })}
        action={
          <ButtonLink variant="secondary" size="small" href="/catalog-graph">
            {t('graph.elsewhere')}
          </ButtonLink>
        }
      />
    );
  } else {
    content = (
      <Graph
        roots={loaded.value}
        values={values}
        fixed={fixed}
        onRoot={ref => change({ rootEntityRefs: [ref] })}
      />
    );
  }
  return (
    <Page
      header={
        <PageHeader
          title={t('graph.title')}
          description={<Starts refs={roots} />}
          action={
            <>
              <ButtonLink variant="secondary" href="/catalog-graph">
                {t('graph.elsewhere')}
              </ButtonLink>
              <EntityButton entityRef={roots[0]} />
            </>
          }
        />
      }
    >
      <GraphFilters
        values={values}
        onChange={change}
        relations={fixed.relations ?? knownRelations}
      />
      {content}
    </Page>
  );
}

function Starts({ refs }: { refs: readonly string[] }) {
  const { t } = useTranslationRef(appTranslationRef);
  const { primaryTitle } = useEntityPresentation(refs[0]);
  return (
    <>
      {refs.length === 1
        ? t('graph.startsAt', { name: primaryTitle })
        : t('graph.startsAtMany', {
            name: primaryTitle,
            count: refs.length - 1,
          })}
    </>
  );
}

function EntityButton({ entityRef }: { entityRef: string }) {
  const { t } = useTranslationRef(appTranslationRef);
  const linkTo = useEntityRefLink();
  return (
    <ButtonLink variant="primary" href={linkTo(entityRef)}>
      {t('graph.view')}
    </ButtonLink>
  );
}

function Graph(
  props: Pick<GraphPageProps, 'fixed'> & {
    roots: readonly string[];
    values: GraphAddress;
    onRoot(ref: string): void;
  },
) {
  const { t } = useTranslationRef(appTranslationRef);
  const { roots, values, fixed, onRoot } = props;
  const navigate = useNavigate();
  const linkTo = useEntityRefLink();
  const names = useMemo(() => roots.map(ref => parseEntityRef(ref)), [roots]);
  const { selectedKinds, selectedRelations, maxDepth } = values;
  const onNodeClick = ({ id }: EntityNode, event: MouseEvent<unknown>) =>
    event.shiftKey ? navigate(linkTo(id)) : onRoot(id);
  return (
    <section className="slw-Graph" aria-label={t('graph.title')}>
      <EntityRelationsGraph
        {...fixed}
        className="slw-GraphCanvas"
        rootEntityNames={names}
        maxDepth={maxDepth === '∞' ? Infinity : Number(maxDepth)}
        kinds={selectedKinds.length > 0 ? [...selectedKinds] : fixed.kinds}
        relations={
          selectedRelations.length > 0
            ? [...selectedRelations]
            : fixed.relations
        }
        unidirectional={values.unidirectional === 'true'}
        mergeRelations={values.mergeRelations === 'true'}
        direction={values.direction as Direction}
        curve={values.curve as EntityRelationsGraphProps['curve']}
        zoom={fixed.zoom ?? 'enabled'}
        renderNode={renderEntityNode}
        onNodeClick={onNodeClick}
      />
      <p className="slw-GraphHint">{t('graph.hint')}</p>
    </section>
  );
}
