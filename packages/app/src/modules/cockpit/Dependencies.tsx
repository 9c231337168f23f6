import {
  getCompoundEntityRef,
  stringifyEntityRef,
} from '@backstage/catalog-model';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { EntityRelationsGraph } from '@backstage/plugin-catalog-graph';
import { useEntity, useEntityRefLink } from '@backstage/plugin-catalog-react';
import { Link } from '@backstage/ui';
import { Panel } from '@slipway/design-system';
import { useNavigate } from 'react-router-dom';
import { appTranslationRef } from '../../translation';
import { renderEntityNode } from '../graph/EntityNode';
import { graphHref } from '../graph/graphAddress';
import './Cockpit.css';

/** Without ownership: a team would connect everything that it owns. */
const RELATIONS = [
  'dependsOn',
  'dependencyOf',
  'partOf',
  'hasPart',
  'providesApi',
  'apiProvidedBy',
  'consumesApi',
  'apiConsumedBy',
];

/**
 * Shows the direct neighbours of an entity. Two steps would include everything in its system, in
 * letters too small to read; the graph's own page has filters and the room for more.
 */
export function Dependencies() {
  const { t } = useTranslationRef(appTranslationRef);
  const { entity } = useEntity();
  const navigate = useNavigate();
  const linkTo = useEntityRefLink();
  const more = graphHref({
    rootEntityRefs: [stringifyEntityRef(entity)],
    maxDepth: '2',
    selectedRelations: RELATIONS,
  });
  return (
    <Panel
      title={t('cockpit.dependencies')}
      padded={false}
      action={
        <Link href={more} variant="body-small">
          {t('cockpit.openGraph')}
        </Link>
      }
    >
      <EntityRelationsGraph
        rootEntityNames={getCompoundEntityRef(entity)}
        maxDepth={1}
        zoom="enabled"
        mergeRelations
        relations={RELATIONS}
        // In narrow windows, its button would cover nodes; the graph's own page has room for it.
        allowFullscreen={false}
        className="slw-DependenciesGraph"
        renderNode={renderEntityNode}
        onNodeClick={({ id }) => navigate(linkTo(id))}
      />
    </Panel>
  );
}
