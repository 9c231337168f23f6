import {
  useEntityRefLink,
  useStarredEntity,
} from '@backstage/plugin-catalog-react';
import { ButtonIcon, ButtonLink, Link } from '@backstage/ui';
import { RiExternalLinkLine, RiStarFill, RiStarLine } from '@remixicon/react';
import type { DataColumn } from '@slipway/design-system';
import type { Translate } from '../../translation';
import { EntityLinks } from '../../entities/EntityLinks';
import { type EntityRow, nameOf } from './entityFacts';
import styles from './CatalogPage.module.css';

/** Returns the columns for a list of entities of one kind. */
export function entityColumns(t: Translate): DataColumn<EntityRow>[] {
  return [
    {
      id: 'name',
      label: t('catalog.columns.name'),
      text: row => row.name,
      sortBy: row => row.name,
      cell: (row, { isNarrow }) => <NameCell row={row} isNarrow={isNarrow} />,
    },
    {
      id: 'owner',
      label: t('catalog.columns.owner'),
      width: '14%',
      from: 'sm',
      sortBy: row => row.owners.map(nameOf).join(', ') || null,
      cell: row => <EntityLinks refs={row.owners} />,
    },
    {
      id: 'system',
      label: t('catalog.columns.system'),
      width: '12%',
      from: 'lg',
      sortBy: row => row.systems.map(nameOf).join(', ') || null,
      cell: row => <EntityLinks refs={row.systems} />,
    },
    {
      id: 'type',
      label: t('catalog.columns.type'),
      width: 110,
      from: 'md',
      sortBy: row => row.type,
      cell: row => row.type ?? '',
    },
    {
      id: 'lifecycle',
      label: t('catalog.columns.lifecycle'),
      width: 120,
      from: 'md',
      sortBy: row => row.lifecycle,
      cell: row => row.lifecycle ?? '',
    },
    {
      id: 'tags',
      label: t('catalog.columns.tags'),
      width: '14%',
      from: 'lg',
      isExtra: true,
      csv: row => row.tags.join(' '),
      cell: row => row.tags.join(', '),
    },
    {
      id: 'reference',
      label: t('catalog.columns.reference'),
      width: '18%',
      from: 'lg',
      isExtra: true,
      sortBy: row => row.ref,
      cell: row => row.ref,
    },
    {
      id: 'description',
      label: t('catalog.columns.description'),
      isExtra: true,
      from: 'lg',
      csv: row => row.description,
      cell: row => row.description ?? '',
    },
    {
      id: 'actions',
      label: t('catalog.columns.actions'),
      hidesLabel: true,
      width: 84,
      cell: row => <RowActions row={row} t={t} />,
    },
  ];
}

function NameCell({ row, isNarrow }: { row: EntityRow; isNarrow: boolean }) {
  const linkTo = useEntityRefLink();
  return (
    <div className={styles.name}>
      <Link href={linkTo(row.ref)} title={row.name}>
        {row.name}
      </Link>
      {isNarrow
        ? row.type && <span>{row.type}</span>
        : row.description && (
            <span title={row.description}>{row.description}</span>
          )}
    </div>
  );
}

function RowActions({ row, t }: { row: EntityRow; t: Translate }) {
  const { isStarredEntity, toggleStarredEntity } = useStarredEntity(row.ref);
  const StarIcon = isStarredEntity ? RiStarFill : RiStarLine;
  return (
    <span className={styles.actions}>
      {row.sourceUrl && (
        <ButtonLink
          size="small"
          variant="tertiary"
          href={row.sourceUrl}
          target="_blank"
          aria-label={t('catalog.source', { name: row.name })}
        >
          <RiExternalLinkLine size={16} />
        </ButtonLink>
      )}
      <ButtonIcon
        size="small"
        variant="tertiary"
        aria-pressed={isStarredEntity}
        aria-label={t('catalog.star', { name: row.name })}
        icon={<StarIcon size={16} />}
        onPress={toggleStarredEntity}
      />
    </span>
  );
}
