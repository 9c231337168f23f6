import { getCompoundEntityRef } from '@backstage/catalog-model';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { EntityRelationsGraph } from '@backstage/plugin-catalog-graph';
import { useEntity, useEntityRefLink } from '@backstage/plugin-catalog-react';
import { Panel } from '@slipway/design-system';
import { useNavigate } from 'react-router-dom';
import { appTranslationRef } from '../../translation';
import { renderEntityNode } from '../graph/EntityNode';
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

/** Shows what an entity depends on and what depends on it, up to two steps away. */
export function Dependencies() {
  const { t } = useTranslationRef(appTranslationRef);
  const { entity } = useEntity();
  const navigate = useNavigate();
  const linkTo = useEntityRefLink();
  return (
    <Panel title={t('cockpit.dependencies')} padded={false}>
      <EntityRelationsGraph
        rootEntityNames={getCompoundEntityRef(entity)}
        maxDepth={2}
        mergeRelations
        relations={RELATIONS}
        // Its button would lie on the nodes in narrow windows; the graph's own page has the room.
        allowFullscreen={false}
        className="slw-DependenciesGraph"
        renderNode={renderEntityNode}
        onNodeClick={({ id }) => navigate(linkTo(id))}
      />
    </Panel>
  );
}
