import { ReactNode } from 'react';
import { Entity, stringifyEntityRef } from '@backstage/catalog-model';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { EntityRefLink } from '@backstage/plugin-catalog-react';
import { ButtonLink } from '@backstage/ui';
import { useErrorWords } from '@slipway/app-react';
import {
  EmptyState,
  ErrorPanel,
  LoadingRows,
  Panel,
} from '@slipway/design-system';
import { appTranslationRef } from '../../translation';
import { Loaded } from './useLoaded';
import './HomePage.css';

/** Props of {@link EntityCard}. */
export interface EntityCardProps {
  /** The key of the card's texts in the translation. */
  name: 'owned' | 'starred';
  action?: ReactNode;
  entities: Loaded<Entity[]>;
  /** What to do when there are none. */
  nextStep: { label: string; href: string };
}

/** A card of the home page that lists catalog entities. */
export function EntityCard(props: EntityCardProps) {
  const { t } = useTranslationRef(appTranslationRef);
  return (
    <Panel
      title={t(`home.${props.name}.title`)}
      action={props.action}
      padded={false}
    >
      <EntityCardBody {...props} />
    </Panel>
  );
}

function EntityCardBody(props: EntityCardProps) {
  const { name, entities, nextStep } = props;
  const errorWords = useErrorWords();
  const { t } = useTranslationRef(appTranslationRef);
  if (entities.state === 'loading') {
    return <LoadingRows label={t(`home.${name}.loading`)} rows={4} />;
  }
  if (entities.state === 'failed') {
    return (
      <div className="slw-HomeCardState">
        <ErrorPanel
          title={t(`home.${name}.error`)}
          message={errorWords(entities.error)}
          onRetry={entities.retry}
        />
      </div>
    );
  }
  if (entities.value.length === 0) {
    return (
      <div className="slw-HomeCardState">
        <EmptyState
          level={3}
          title={t(`home.${name}.emptyTitle`)}
          description={t(`home.${name}.emptyText`)}
          action={
            <ButtonLink size="small" variant="secondary" href={nextStep.href}>
              {nextStep.label}
            </ButtonLink>
          }
        />
      </div>
    );
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
