import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Details, EmptyState, SidePanel } from '@slipway/design-system';
import type { FrictionCategory, TopFriction } from '../../api/types';
import { formatMinutes } from '../../format/minutesLost';
import { categoryName } from '../../friction/categories';
import { spaceTranslationRef } from '../../translation';
import styles from './FrictionPage.module.css';

/** One kind of friction, with what those who logged it wrote. */
export function FrictionPanel(props: {
  category: string;
  top: TopFriction;
  onClose(): void;
}) {
  const { category, top, onClose } = props;
  const { t } = useTranslationRef(spaceTranslationRef);
  const name = categoryName(t, category);
  const item = top.items.find(known => known.category === category);
  return (
    <SidePanel title={name} onClose={onClose}>
      {item ? (
        <FrictionFacts item={item} minimum={top.minimumGroupSize} />
      ) : (
        <EmptyState
          level={3}
          title={t('friction.unknownTitle', { category: name })}
          description={t('friction.unknownDescription')}
        />
      )}
    </SidePanel>
  );
}

function FrictionFacts(props: { item: FrictionCategory; minimum: number }) {
  const { item, minimum } = props;
  const { t } = useTranslationRef(spaceTranslationRef);
  return (
    <div className={styles.panel}>
      <Details
        items={[
          {
            label: t('friction.time'),
            value: formatMinutes(item.minutesLost),
          },
          { label: t('friction.reporters'), value: item.reporters },
          { label: t('friction.entries'), value: item.entries },
        ]}
      />
      <h3>{t('friction.words')}</h3>
      <p className={styles.quiet}>
        {t('friction.wordsNote')}
        {minimum > 1 &&
          ` ${t('friction.wordsShown', {
            count: minimum,
          })}`}
      </p>
      <ul className={styles.texts}>
        {item.texts.map((text, index) => (
          // Entries have no identity, so that nobody can follow one.
          <li key={index}>
            <blockquote>{text}</blockquote>
          </li>
        ))}
      </ul>
    </div>
  );
}
