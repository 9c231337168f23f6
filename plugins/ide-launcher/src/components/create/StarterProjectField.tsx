import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select } from '@backstage/ui';
import type { DevfilePreview } from '@slipway/plugin-ide-launcher-common';
import { ideLauncherTranslationRef } from '../../translation';

const NONE = '';

/** The choice of a project to begin with, where the devfile offers any. */
export function StarterProjectField(props: {
  devfile: DevfilePreview['devfile'] | undefined;
  value: string;
  onChange: (name: string) => void;
}) {
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const starters = props.devfile?.starterProjects ?? [];
  if (starters.length === 0) {
    return null;
  }
  return (
    <Select
      name="starterProject"
      label={t('create.starterLabel')}
      description={t('create.starterDescription')}
      value={props.value}
      onChange={key => props.onChange(String(key ?? NONE))}
      options={[
        { id: NONE, label: t('create.starterNone') },
        ...starters.map(({ name, description }) => ({
          id: name,
          label: description ? `${name}: ${description}` : name,
        })),
      ]}
    />
  );
}
