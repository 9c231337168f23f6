import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { isKnownType } from '../pages/List/flagTypes';
import { flagsTranslationRef } from '../translation';

/** A type in words; as it is where it has none. */
export function FlagTypeName({ type }: { type: string }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  return <>{isKnownType(type) ? t(`type.${type}`) : type}</>;
}
