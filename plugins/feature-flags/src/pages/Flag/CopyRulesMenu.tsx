import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Menu, MenuItem, MenuTrigger } from '@backstage/ui';
import type { FlagEnvironment, Rules } from '../../api/flags';
import { flagsTranslationRef } from '../../translation';

/** A menu that copies rules and variants from another environment; not shown if none has any. */
export function CopyRulesMenu(props: {
  environments: readonly FlagEnvironment[];
  onCopy(rules: Rules): void;
}) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const filled = props.environments.filter(
    ({ strategies, variants }) => strategies.length + variants.length > 0,
  );
  if (filled.length === 0) {
    return null;
  }
  return (
    <MenuTrigger>
      <Button size="small" variant="tertiary">
        {t('rollout.copy')}
      </Button>
      <Menu>
        {filled.map(({ name, strategies, variants }) => (
          <MenuItem
            key={name}
            onAction={() =>
              props.onCopy({
                // Ids belong to the rules of one environment.
                strategies: strategies.map(({ id: _id, ...rule }) => rule),
                variants,
              })
            }
          >
            {name}
          </MenuItem>
        ))}
      </Menu>
    </MenuTrigger>
  );
}
