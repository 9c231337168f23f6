import { useEffect, useId, useState } from 'react';
import { stringifyEntityRef } from '@backstage/catalog-model';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { useEntity } from '@backstage/plugin-catalog-react';
import type { EntityContentLayoutProps } from '@backstage/plugin-catalog-react/alpha';
import { ButtonLink, Link } from '@backstage/ui';
import {
  AppQueries,
  type EntityPart,
  isUnreachable,
  type LoadableQuery,
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
import { byUrgency } from '@slipway/entity-contract/byUrgency';
import { appTranslationRef } from '../../translation';
import { EntityOverview } from '../entity/EntityOverview';
import { EntityTimeline } from './EntityTimeline';
import { Facts, ToneMark } from './facts';
import './Cockpit.css';

/**
 * Shows the overview of a component, system or group: open needs, its state in every
 * part of the platform, recent events, and the cards of plugins below and next to them.
 */
export function Cockpit({ cards }: EntityContentLayoutProps) {
  const { entity } = useEntity();
  const ref = stringifyEntityRef(entity);
  return (
    <AppQueries>
      <EntityOverview cards={cards}>
        <Parts entityRef={ref} />
        <EntityTimeline entityRef={ref} />
      </EntityOverview>
    </AppQueries>
  );
}

function Parts({ entityRef }: { entityRef: string }) {
  const asked = useEntitySummaries(entityRef);
  const isComplete = useTogether(
    asked.every(({ answer }) => answer.data || answer.error),
  );
  if (!isComplete) {
    return (
      <div className="slw-PartCards" key="loading">
        {asked.map(({ part, answer }) => (
          <PartCard
            key={part.id}
            part={part}
            answer={{
              data: undefined,
              error: undefined,
              refetch: answer.refetch,
            }}
          />
        ))}
      </div>
    );
  }
  const needs = asked.flatMap(({ answer }) => answer.data?.needs ?? []);
  return (
    <>
      {needs.length > 0 && (
        <Needs
          needs={needs}
          hasMore={asked.some(({ answer }) => answer.data?.moreNeeds)}
        />
      )}
      <div className="slw-PartCards">
        {asked.map(one => (
          <PartCard key={one.part.id} {...one} />
        ))}
      </div>
    </>
  );
}

/** Maximum time that a part which has responded waits for the others, in milliseconds. */
const TOGETHER_MS = 2_000;

/**
 * Returns whether to show the parts: once all have responded, or after a short time, so
 * that an unavailable part does not delay the others. The open needs are above the
 * parts, and would otherwise push them down one by one.
 */
function useTogether(haveAllAnswered: boolean): boolean {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), TOGETHER_MS);
    return () => clearTimeout(timer);
  }, []);
  return haveAllAnswered || isDue;
}

function Needs(props: { needs: readonly Need[]; hasMore: boolean }) {
  const { needs, hasMore } = props;
  const { t } = useTranslationRef(appTranslationRef);
  return (
    <Panel title={t('cockpit.needs')} padded={false}>
      <ul className="slw-Needs">
        {byUrgency(needs).map(need => (
          <li key={need.key} className="slw-Need">
            <NeedText need={need} />
            <ButtonLink size="small" variant="secondary" href={need.page}>
              {need.action}
            </ButtonLink>
          </li>
        ))}
      </ul>
      {hasMore && <p className="slw-TimelineNote">{t('cockpit.moreNeeds')}</p>}
    </Panel>
  );
}

/** Shows a need, its age, and how urgent it is. */
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

/**
 * Shows the summary of one part; the error of an unavailable part appears only in its own card.
 */
function PartCard(props: {
  part: EntityPart;
  answer: LoadableQuery<EntitySummary>;
}) {
  const { part, answer } = props;
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
            {t('cockpit.view', { part: title.toLocaleLowerCase() })}
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
        <LoadingRows
          label={t('cockpit.loading', { part: title })}
          rows={isWide ? 7 : 2}
        />
      )}
      {!data && Boolean(error) && (
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
  const { requestId } = readFailedCall(error);
  // The proxy's error for an unreachable service contains only its address, which does
  // not help.
  const isGone = isUnreachable(error) && !requestId;
  return (
    <ErrorPanel
      title={t(isGone ? 'cockpit.gone' : 'cockpit.failed', { part: title })}
      message={isGone ? undefined : errorWords(error)}
      requestId={requestId}
      onRetry={onRetry}
    />
  );
}
