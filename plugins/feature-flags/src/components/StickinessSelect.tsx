import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select } from '@backstage/ui';
import { useContextFields } from '../queries/registers';
import { flagsTranslationRef } from '../translation';

/** Values that SDKs know without a context field. */
const BUILT_IN = ['default', 'userId', 'sessionId', 'random'] as const;

/** Chooses the context field that is hashed, so that a user always gets the same result. */
export function StickinessSelect(props: {
  value: string;
  onChange(stickiness: string): void;
}) {
  const { value, onChange } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const { data: fields = [] } = useContextFields();
  const names = new Set<string>([
    ...BUILT_IN,
    ...fields.map(({ name }) => name),
    value,
  ]);
  return (
    <Select
      label={t('stickiness.title')}
      value={value}
      onChange={key => key !== null && onChange(String(key))}
      options={[...names].map(id => ({
        id,
        label: id === 'default' || id === 'random' ? t(`stickiness.${id}`) : id,
      }))}
    />
  );
}
