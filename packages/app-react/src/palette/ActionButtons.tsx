import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, ButtonIcon, Menu, MenuItem, MenuTrigger } from '@backstage/ui';
import { RiMore2Line } from '@remixicon/react';
import { appReactTranslationRef } from '../translation';
import type { ActionSubject } from './palette';
import { useActionsFor } from './sources';
import { useAct } from './useAct';

/**
 * Buttons for the actions of all parts on something that a page shows; renders nothing if the user
 * has no actions.
 *
 * @param props.label - accessible name of the group, e.g. "Actions for shop 1.2".
 */
export function ActionButtons(props: {
  subjects: readonly ActionSubject[];
  label: string;
  className?: string;
}) {
  const { subjects, label, className } = props;
  const { entries } = useActionsFor(subjects);
  const { act, dialog } = useAct();
  return (
    <>
      {entries.length > 0 && (
        <div role="group" aria-label={label} className={className}>
          {entries.map(({ source, item }) => (
            <Button
              key={`${source.id} ${item.id}`}
              size="small"
              variant="secondary"
              iconStart={item.icon ?? undefined}
              onPress={() => act(item, source)}
            >
              {item.title}
            </Button>
          ))}
        </div>
      )}
      {dialog}
    </>
  );
}

/** The same actions in a menu, which loads them when it is opened. */
export function ActionMenu(props: { subject: ActionSubject }) {
  const { subject } = props;
  const { t } = useTranslationRef(appReactTranslationRef);
  const [isOpen, setIsOpen] = useState(false);
  const { entries, isLoading } = useActionsFor(isOpen ? [subject] : []);
  const { act, dialog } = useAct();
  const label = t('action.menu', { title: subject.title });
  return (
    <>
      <MenuTrigger isOpen={isOpen} onOpenChange={setIsOpen}>
        <ButtonIcon
          size="small"
          variant="tertiary"
          icon={<RiMore2Line aria-hidden />}
          aria-label={label}
        />
        <Menu aria-label={label} placement="bottom end">
          {entries.length === 0 ? (
            <MenuItem isDisabled>
              {t(isLoading ? 'action.loading' : 'action.none')}
            </MenuItem>
          ) : (
            entries.map(({ source, item }) => (
              <MenuItem
                key={`${source.id} ${item.id}`}
                iconStart={item.icon ?? undefined}
                onAction={() => act(item, source)}
              >
                {item.title}
              </MenuItem>
            ))
          )}
        </Menu>
      </MenuTrigger>
      {dialog}
    </>
  );
}
