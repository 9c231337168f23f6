import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  MenuListBox,
  MenuListBoxItem,
  MenuTrigger,
  Select,
} from '@backstage/ui';
import { RiArrowDownSLine } from '@remixicon/react';
import { Button } from '@slipway/design-system';
import { appTranslationRef } from '../../translation';
import { kindName } from '../catalog/entityFacts';
import { useCatalogKinds } from '../catalog/useCatalogEntities';
import { DIRECTIONS, type GraphAddress } from './graphAddress';

const DEPTHS = ['1', '2', '3', '4', '5', '∞'];
/** The switches, by their names in the URL. */
const SWITCHES = ['unidirectional', 'mergeRelations'] as const;

/** Filters for the depth, content and layout of the graph. */
export function GraphFilters(props: {
  values: GraphAddress;
  onChange(change: Partial<GraphAddress>): void;
  relations: readonly string[];
}) {
  const { t } = useTranslationRef(appTranslationRef);
  const { values, onChange, relations } = props;
  const kinds = useCatalogKinds();
  const depths = DEPTHS.includes(values.maxDepth)
    ? DEPTHS
    : [values.maxDepth, ...DEPTHS];
  const isStepped = values.curve === 'curveStepBefore';
  const options = [
    ...SWITCHES.filter(name => values[name] === 'true'),
    ...(isStepped ? ['curve'] : []),
  ];
  return (
    <div className="slw-GraphFilters" role="group" aria-label={t('graph.show')}>
      <Select
        size="small"
        aria-label={t('graph.depth')}
        value={values.maxDepth}
        onChange={value => onChange({ maxDepth: String(value) })}
        options={depths.map(value => ({
          value,
          label:
            value === '∞'
              ? t('graph.depthAll')
              : t('graph.depthOf', { count: Number(value) }),
        }))}
      />
      <Choice
        label={t('graph.kinds')}
        chosen={values.selectedKinds}
        options={[...new Set([...kinds, ...values.selectedKinds])]}
        nameOf={kindName}
        onChange={selectedKinds => onChange({ selectedKinds })}
      />
      <Choice
        label={t('graph.relations')}
        chosen={values.selectedRelations}
        options={[...new Set([...relations, ...values.selectedRelations])]}
        onChange={selectedRelations => onChange({ selectedRelations })}
      />
      <Select
        size="small"
        aria-label={t('graph.direction')}
        value={values.direction}
        onChange={value => onChange({ direction: String(value) })}
        options={DIRECTIONS.map(value => ({
          value,
          label: t(`graph.directions.${value}`),
        }))}
      />
      <Choice
        label={t('graph.options')}
        hidesCount
        chosen={options}
        options={[...SWITCHES, 'curve']}
        nameOf={option =>
          t(`graph.${option as (typeof SWITCHES)[number] | 'curve'}`)
        }
        onChange={chosen =>
          onChange({
            unidirectional: String(chosen.includes('unidirectional')),
            mergeRelations: String(chosen.includes('mergeRelations')),
            curve: chosen.includes('curve')
              ? 'curveStepBefore'
              : 'curveMonotoneX',
          })
        }
      />
    </div>
  );
}

/** A menu with multiple choice; no choice means all. */
function Choice(props: {
  label: string;
  chosen: readonly string[];
  options: readonly string[];
  nameOf?(option: string): string;
  hidesCount?: true;
  onChange(chosen: string[]): void;
}) {
  const { label, chosen, options, nameOf, hidesCount, onChange } = props;
  return (
    <MenuTrigger>
      <Button
        size="small"
        variant="secondary"
        iconEnd={<RiArrowDownSLine size={16} />}
      >
        {chosen.length > 0 && !hidesCount
          ? `${label}: ${chosen.length}`
          : label}
      </Button>
      <MenuListBox
        aria-label={label}
        selectionMode="multiple"
        // Closes the menu; by default, it would deselect everything.
        escapeKeyBehavior="none"
        selectedKeys={[...chosen]}
        onSelectionChange={keys =>
          onChange(options.filter(option => keys === 'all' || keys.has(option)))
        }
      >
        {options.map(option => (
          <MenuListBoxItem key={option} id={option}>
            {nameOf?.(option) ?? option}
          </MenuListBoxItem>
        ))}
      </MenuListBox>
    </MenuTrigger>
  );
}
