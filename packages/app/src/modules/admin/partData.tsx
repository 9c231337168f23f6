import type { ReactNode } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import { useSearchParams } from 'react-router-dom';
import { useServiceQuery } from '@slipway/app-react';
import { type DataColumn, EmptyState } from '@slipway/design-system';
import { appTranslationRef, type Translate } from '../../translation';
import { adminApiRef } from './AdminClient';

/** Reads roles, tokens and webhooks of all parts; the pages share one request. */
export function useAdministration() {
  return useServiceQuery(adminApiRef, ['administration'], api =>
    api.administration(),
  );
}

/** Returns the filter by part, for a FilterBar. */
export function partSelect(t: Translate, parts: readonly string[]) {
  return {
    key: 'part',
    label: t('admin.part'),
    anyLabel: t('admin.anyPart'),
    options: parts.map(title => ({ value: title, label: title })),
  } as const;
}

/** Returns the column with the part that reported a row; `own` differs from it. */
export function partColumn<T extends { part: string }>(
  t: Translate,
  own?: Partial<DataColumn<T>>,
): DataColumn<T> {
  return {
    id: 'part',
    label: t('admin.part'),
    width: 112,
    from: 'sm',
    sortBy: ({ part }) => part,
    cell: ({ part }) => part,
    ...own,
  };
}

/** Shows a row's name, and on phones the content of the hidden columns below it. */
export function NameCell(
  props: Parameters<typeof Stack>[0] & { isNarrow: boolean },
) {
  const { isNarrow, ...stack } = props;
  return isNarrow ? <Stack {...stack} /> : <>{stack.name}</>;
}

/** Stacks a name, its details and a mark. */
export function Stack(props: {
  name: ReactNode;
  children: ReactNode;
  mark?: ReactNode;
}) {
  const { name, children, mark } = props;
  return (
    <span className="slw-AdminStack">
      {name}
      <span className="slw-AdminBeside">{children}</span>
      {mark}
    </span>
  );
}

/** Explains that a list is empty, or that nothing in it matches its filters. */
export function EmptyList(props: {
  list: 'audit' | 'people' | 'tokens' | 'webhooks';
  /** True if the list has rows when no filter is set. */
  hasRows: boolean;
}) {
  const { list, hasRows } = props;
  const { t } = useTranslationRef(appTranslationRef);
  return hasRows ? (
    <EmptyState
      title={t(`admin.${list}.noMatch`)}
      description={t('admin.noMatchText')}
    />
  ) : (
    <EmptyState
      title={t(`admin.${list}.empty`)}
      description={t(`admin.${list}.emptyText`)}
    />
  );
}

/** Names the parts that did not respond, if there are any. */
export function MissingParts({ parts }: { parts: readonly string[] }) {
  const { t } = useTranslationRef(appTranslationRef);
  return parts.length === 0 ? null : (
    <p className="slw-AdminNote" role="status">
      {t('admin.missing', { parts: parts.join(', ') })}
    </p>
  );
}

/** Shows the name of something as a link to the page that manages it, if there is one. */
export function NameLink({ name, page }: { name: string; page?: string }) {
  return page === undefined ? <>{name}</> : <Link href={page}>{name}</Link>;
}

/**
 * Returns the address of this page, with its filters, and with the details of an item open.
 *
 * @param key - the URL parameter that names the open item.
 */
export function useDetailsHref(key: string): (id: string) => string {
  const [params] = useSearchParams();
  return id => {
    const next = new URLSearchParams(params);
    next.set(key, id);
    return `?${next}`;
  };
}
