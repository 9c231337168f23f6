import { useMemo } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  Cell,
  Column,
  Link,
  Row,
  TableBody,
  TableHeader,
  TableRoot,
  useBreakpoint,
} from '@backstage/ui';
import { RelativeTime, TableFrame } from '@slipway/design-system';
import type { Flag, UsagePoint } from '../../api/types';
import { FlagState } from '../../components/FlagState';
import { FlagTypeName } from '../../components/FlagTypeName';
import { useLinks } from '../../data/useLinks';
import { flagsTranslationRef } from '../../translation';
import { RecentUsage } from './RecentUsage';
import styles from './FlagList.module.css';

type ColumnId = 'name' | 'state' | 'type' | 'usage' | 'updated';

const WIDE: ColumnId[] = ['name', 'state', 'type', 'usage', 'updated'];
/** On a phone: what it is, and whether it is on. */
const NARROW: ColumnId[] = ['name', 'state'];

/** Flags by name. */
export function FlagTable(props: {
  flags: readonly Flag[];
  /** Usage of 24 hours by flag name; undefined while it is not known. */
  usage: ReadonlyMap<string, readonly UsagePoint[]> | undefined;
  isUsageShown: boolean;
}) {
  const { flags, usage, isUsageShown } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const links = useLinks();
  const { up } = useBreakpoint();
  const isNarrow = !up('sm');
  const columns = useMemo(
    () =>
      (isNarrow ? NARROW : WIDE)
        .filter(id => id !== 'usage' || isUsageShown)
        .map(id => ({ id })),
    [isNarrow, isUsageShown],
  );
  return (
    <TableFrame>
      <TableRoot aria-label={t('list.label')}>
        <TableHeader columns={columns}>
          {({ id }) => (
            <Column
              id={id}
              isRowHeader={id === 'name'}
              className={styles[`${id}Column`]}
            >
              {t(`list.${id}`)}
            </Column>
          )}
        </TableHeader>
        <TableBody
          items={flags.map(flag => ({ id: flag.name, flag }))}
          dependencies={[columns, usage, links, t]}
        >
          {({ id: name, flag }) => (
            <Row id={name} columns={columns}>
              {({ id }: { id: ColumnId }) => (
                <Cell textValue={id === 'name' ? name : undefined}>
                  <FlagCell
                    column={id}
                    flag={flag}
                    usage={usage && (usage.get(name) ?? [])}
                    href={links.flag(name)}
                  />
                </Cell>
              )}
            </Row>
          )}
        </TableBody>
      </TableRoot>
    </TableFrame>
  );
}

function FlagCell(props: {
  column: ColumnId;
  flag: Flag;
  usage: readonly UsagePoint[] | undefined;
  href: string;
}) {
  const { column, flag, usage, href } = props;
  switch (column) {
    case 'name':
      return (
        <span className={styles.name}>
          <Link href={href}>{flag.name}</Link>
          {flag.description && (
            <span className={styles.quiet}>{flag.description}</span>
          )}
        </span>
      );
    case 'state':
      return (
        <span className={styles.badges}>
          <FlagState flag={flag} />
        </span>
      );
    case 'type':
      return <FlagTypeName type={flag.type} />;
    case 'usage':
      return <RecentUsage points={usage} />;
    default:
      return <RelativeTime value={flag.updatedAt} />;
  }
}
