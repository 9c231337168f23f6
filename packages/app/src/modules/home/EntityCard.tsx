import { ReactNode } from 'react';
import { Entity, stringifyEntityRef } from '@backstage/catalog-model';
import { EntityRefLink } from '@backstage/plugin-catalog-react';
import { ErrorPanel, LoadingRows, Panel } from '@slipway/design-system';
import { Loaded } from './useLoaded';
import './HomePage.css';

/** Props of {@link EntityCard}. */
export interface EntityCardProps {
  title: string;
  action?: ReactNode;
  entities: Loaded<Entity[]>;
  loadingLabel: string;
  errorTitle: string;
  /** Shown when there are none. */
  empty: ReactNode;
}

/** A card of the home page that lists catalog entities. */
export function EntityCard(props: EntityCardProps) {
  return (
    <Panel title={props.title} action={props.action} padded={false}>
      <EntityCardBody {...props} />
    </Panel>
  );
}

function EntityCardBody(props: EntityCardProps) {
  const { entities, loadingLabel, errorTitle, empty } = props;
  if (entities.state === 'loading') {
    return <LoadingRows label={loadingLabel} rows={4} />;
  }
  if (entities.state === 'failed') {
    return (
      <div className="slw-HomeCardState">
        <ErrorPanel
          title={errorTitle}
          error={entities.error}
          onRetry={entities.retry}
        />
      </div>
    );
  }
  if (entities.value.length === 0) {
    return <div className="slw-HomeCardState">{empty}</div>;
  }
  return (
    <ul className="slw-EntityList">
      {entities.value.map(entity => (
        <li key={stringifyEntityRef(entity)}>
          <EntityRefLink entityRef={entity} defaultKind="component" />
          <span className="slw-EntityKind">{describeKind(entity)}</span>
        </li>
      ))}
    </ul>
  );
}

/** "API · openapi", or the kind alone where the entity has no type. */
function describeKind(entity: Entity): string {
  const type = entity.spec?.type;
  return typeof type === 'string' ? `${entity.kind} · ${type}` : entity.kind;
}
