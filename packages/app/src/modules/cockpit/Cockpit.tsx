import { Fragment, useId } from 'react';
import { stringifyEntityRef } from '@backstage/catalog-model';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  EntityOrphanWarning,
  EntityProcessingErrorsPanel,
  EntityRelationWarning,
  EntitySwitch,
  hasCatalogProcessingErrors,
  hasRelationWarnings,
  isOrphan,
} from '@backstage/plugin-catalog';
import { useEntity } from '@backstage/plugin-catalog-react';
import type { EntityContentLayoutProps } from '@backstage/plugin-catalog-react/alpha';
import { ButtonLink, Link } from '@backstage/ui';
import {
  type Asked,
  EntityParts,
  readFailedCall,
  useEntitySummaries,
  useErrorWords,
} from '@slipway/app-react';
import {
  ErrorPanel,
  LoadingRows,
  Panel,
  RelativeTime,
} from '@slipway/design-system';
import type { EntitySummary, Need } from '@slipway/entity-contract';
import { appTranslationRef } from '../../translation';
import { EntityTimeline } from './EntityTimeline';
import { Facts, ToneMark } from './facts';
import './Cockpit.css';

/**
 * The overview of a component, system or group: what waits, how it stands by every part
 * of the platform, what happened, and below and beside it the cards of plugins.
 */
export function Cockpit({ cards }: EntityContentLayoutProps) {
  const { entity } = useEntity();
  const ref = stringifyEntityRef(entity);
  const aside = cards.filter(({ type }) => type === 'info');
  const below = cards.filter(({ type }) => type !== 'info');
  return (
    <EntityParts>
      <Warnings />
      <div className="slw-Cockpit">
        <div className="slw-CockpitMain">
          <Parts entityRef={ref} />
          <EntityTimeline entityRef={ref} />
          {below.map((card, index) => (
            <Fragment key={card.element.key ?? index}>{card.element}</Fragment>
          ))}
        </div>
        <div className="slw-CockpitAside">
          {aside.map((card, index) => (
            <Fragment key={card.element.key ?? index}>{card.element}</Fragment>
          ))}
        </div>
      </div>
    </EntityParts>
  );
}

/** What the catalog itself has to say of the entity. */
function Warnings() {
  return (
    <div className="slw-CockpitWarnings">
      <EntitySwitch>
        <EntitySwitch.Case if={isOrphan}>
          <EntityOrphanWarning />
        </EntitySwitch.Case>
      </EntitySwitch>
      <EntitySwitch>
        <EntitySwitch.Case if={hasRelationWarnings}>
          <EntityRelationWarning />
        </EntitySwitch.Case>
      </EntitySwitch>
      <EntitySwitch>
        <EntitySwitch.Case if={hasCatalogProcessingErrors}>
          <EntityProcessingErrorsPanel />
        </EntitySwitch.Case>
      </EntitySwitch>
    </div>
  );
}

function Parts({ entityRef }: { entityRef: string }) {
  const asked = useEntitySummaries(entityRef);
  const needs = asked.flatMap(({ answer }) => answer.data?.needs ?? []);
  return (
    <>
      {needs.length > 0 && <Needs needs={needs} />}
      <div className="slw-PartCards">
        {asked.map(one => (
          <PartCard key={one.part.id} {...one} />
        ))}
      </div>
    </>
  );
}

function Needs({ needs }: { needs: readonly Need[] }) {
  const { t } = useTranslationRef(appTranslationRef);
  const byUrgency = [...needs].sort(
    (one, other) =>
      Number(other.tone === 'bad') - Number(one.tone === 'bad') ||
      Date.parse(other.at) - Date.parse(one.at),
  );
  return (
    <Panel title={t('cockpit.needs')} padded={false}>
      <ul className="slw-Needs">
        {byUrgency.map(need => (
          <li key={need.key} className="slw-Need">
            <NeedText need={need} />
            <ButtonLink size="small" variant="secondary" href={need.page}>
              {need.action}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** What waits, since when, and how bad it is. */
export function NeedText({ need }: { need: Need }) {
  return (
    <>
      <ToneMark tone={need.tone} />
      <span className="slw-NeedText">
        <span className="slw-NeedTitle">{need.title}</span>
        <span className="slw-NeedDetail">
          {need.detail && `${need.detail} · `}
          <RelativeTime value={need.at} />
        </span>
      </span>
    </>
  );
}

/** What one part knows; a part that is down says so here, and breaks nothing else. */
function PartCard({ part, answer }: Asked<EntitySummary>) {
  const { t } = useTranslationRef(appTranslationRef);
  const headingId = useId();
  const { data, error } = answer;
  const { title, icon: Icon, isWide = false } = part;
  return (
    <section
      className="slw-Part"
      data-wide={isWide}
      aria-labelledby={headingId}
    >
      <div className="slw-PartHead">
        <span className="slw-PartIcon" aria-hidden>
          <Icon size={16} />
        </span>
        <h2 id={headingId}>{title}</h2>
        {data?.page && (
          <Link href={data.page} variant="body-small">
            {t('cockpit.view', { part: title })}
          </Link>
        )}
      </div>
      {data && data.facts.length > 0 && <Facts facts={data.facts} />}
      {data?.truncated && (
        <p className="slw-PartMessage">{t('cockpit.truncated')}</p>
      )}
      {data?.message && <p className="slw-PartMessage">{data.message}</p>}
      {data && data.facts.length === 0 && !data.message && (
        <p className="slw-PartMessage">{t('cockpit.nothing')}</p>
      )}
      {!data && !error && (
        <LoadingRows label={t('cockpit.loading', { part: title })} rows={4} />
      )}
      {!data && error && (
        <PartFailure
          title={title}
          error={error}
          onRetry={() => answer.refetch()}
        />
      )}
    </section>
  );
}

function PartFailure(props: {
  title: string;
  error: unknown;
  onRetry: () => void;
}) {
  const { title, error, onRetry } = props;
  const { t } = useTranslationRef(appTranslationRef);
  const errorWords = useErrorWords();
  const { status = 0, requestId } = readFailedCall(error);
  // What the proxy says of a service that it does not reach is an address, which helps nobody.
  const isGone = [502, 503, 504].includes(status) && !requestId;
  return (
    <ErrorPanel
      title={t(isGone ? 'cockpit.gone' : 'cockpit.failed', { part: title })}
      message={isGone ? undefined : errorWords(error)}
      requestId={requestId}
      onRetry={onRetry}
    />
  );
}
