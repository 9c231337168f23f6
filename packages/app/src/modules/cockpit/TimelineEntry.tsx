import type { ComponentType, ReactNode } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { useEntityRefLink } from '@backstage/plugin-catalog-react';
import { Link } from '@backstage/ui';
import {
  RiAlarmWarningLine,
  RiFeedbackLine,
  RiFlagLine,
  RiGitCommitLine,
  RiHammerLine,
  RiRocket2Line,
  RiTerminalBoxLine,
} from '@remixicon/react';
import { actorName, useTitles } from '@slipway/app-react';
import { RelativeTime } from '@slipway/design-system';
import type { ItemKind, TimelineItem } from '@slipway/entity-contract';
import { appTranslationRef } from '../../translation';
import { ToneMark } from './facts';
import './Cockpit.css';

/** The icon of each kind of item. */
export const ITEM_ICONS: Record<
  ItemKind,
  ComponentType<{ size?: number | string }>
> = {
  commit: RiGitCommitLine,
  build: RiHammerLine,
  deployment: RiRocket2Line,
  flag: RiFlagLine,
  incident: RiAlarmWarningLine,
  feedback: RiFeedbackLine,
  workspace: RiTerminalBoxLine,
};

/** An item of a timeline, as a line of a list: its title, state, time, actor and neighbours. */
export function TimelineEntry(props: {
  item: Omit<TimelineItem, 'neighbours'> &
    Partial<Pick<TimelineItem, 'neighbours'>>;
  /** Entity reference of the page, which items do not name as their component. */
  entityRef?: string;
  /** Buttons below the text. */
  children?: ReactNode;
  /** A menu at the end of the line. */
  menu?: ReactNode;
}) {
  const { item, entityRef, children, menu } = props;
  const { t } = useTranslationRef(appTranslationRef);
  const linkTo = useEntityRefLink();
  const { kind, title, page, state, tone, by, at, neighbours = [] } = item;
  const titleOf = useTitles(item.entityRef ? [item.entityRef] : []);
  const Icon = ITEM_ICONS[kind];
  return (
    <li className="slw-TimelineItem">
      <span className="slw-TimelineIcon" aria-hidden>
        <Icon size={16} />
      </span>
      <div className="slw-TimelineText">
        <div className="slw-TimelineHead">
          <span className="slw-Hidden">{t(`timeline.kind.${kind}`)}: </span>
          {page ? (
            <Link href={page} className="slw-TimelineTitle">
              {title}
            </Link>
          ) : (
            <span className="slw-TimelineTitle">{title}</span>
          )}
          {state && (
            <span className="slw-TimelineState">
              <ToneMark tone={tone} />
              {state}
            </span>
          )}
        </div>
        <div className="slw-TimelineMeta">
          <RelativeTime value={at} />
          {by && <span>{actorName(by)}</span>}
          {item.entityRef && item.entityRef !== entityRef && (
            <Link
              href={linkTo(item.entityRef)}
              variant="body-small"
              title={item.entityRef}
            >
              {t('timeline.neighbour', {
                kind: t('timeline.component'),
                title: titleOf(item.entityRef),
              })}
            </Link>
          )}
          {neighbours.map(neighbour => (
            <Link
              key={`${neighbour.kind} ${neighbour.page}`}
              href={neighbour.page}
              variant="body-small"
            >
              {t('timeline.neighbour', {
                kind: t(`timeline.kind.${neighbour.kind}`),
                title: neighbour.title,
              })}
            </Link>
          ))}
        </div>
        {children}
      </div>
      {menu}
    </li>
  );
}
