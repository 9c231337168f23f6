import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Select } from '@backstage/ui';
import type { TransferPlace } from '../../api/transfer';
import { useAllEnvironments, useProjects } from '../../queries/registers';
import { flagsTranslationRef } from '../../translation';

/** The key of the first option, which cannot be the name of a project or environment. */
const ANY = '*';

/** Chooses a project and an environment. */
export function PlaceSelects(props: {
  value: TransferPlace;
  onChange(place: TransferPlace): void;
  /** The labels of the first options, for no particular project or environment. */
  any: { project: string; environment: string };
  isDisabled?: boolean;
}) {
  const { value, onChange, any, isDisabled } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const { data: projects = [] } = useProjects();
  const { data: environments = [] } = useAllEnvironments();
  const names = {
    project: projects.map(({ id, name }) => ({ id, label: name })),
    environment: environments.map(({ name }) => ({ id: name, label: name })),
  };
  return (['project', 'environment'] as const).map(field => (
    <Select
      key={field}
      label={t(`transfer.${field}`)}
      value={value[field] ?? ANY}
      isDisabled={isDisabled}
      onChange={key =>
        onChange({
          ...value,
          [field]: key === null || key === ANY ? undefined : String(key),
        })
      }
      options={[{ id: ANY, label: any[field] }, ...names[field]]}
    />
  ));
}
