import { getCompoundEntityRef } from '@backstage/catalog-model';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { EntityRelationsGraph } from '@backstage/plugin-catalog-graph';
import { useEntity } from '@backstage/plugin-catalog-react';
import { Panel } from '@slipway/design-system';
import { appTranslationRef } from '../../translation';
import './Cockpit.css';

/** Ownership is not among them: a team would connect everything that it owns. */
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

/** What an entity depends on and what depends on it, two steps far. */
export function Dependencies() {
  const { t } = useTranslationRef(appTranslationRef);
  const { entity } = useEntity();
  return (
    <Panel title={t('cockpit.dependencies')} padded={false}>
      <EntityRelationsGraph
        rootEntityNames={getCompoundEntityRef(entity)}
        maxDepth={2}
        mergeRelations
        relations={RELATIONS}
        className="slw-DependenciesGraph"
      />
    </Panel>
  );
}
