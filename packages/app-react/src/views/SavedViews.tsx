import { useState } from 'react';
import {
  toastApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import {
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  TextField,
} from '@backstage/ui';
import { RiBookmarkLine } from '@remixicon/react';
import { Button, DialogForm, OpenDialog } from '@slipway/design-system';
import { useLocation, useNavigate } from 'react-router-dom';
import { useErrorWords } from '../failures/failures';
import { useUserSetting } from '../settings/useUserSetting';
import { useUndoToast } from '../toasts/toastWithButton';
import { appReactTranslationRef } from '../translation';

// A type, as settings require.
/** A named view of a list, saved by the user. */
type SavedView = {
  name: string;
  /** The query string, without the question mark. */
  query: string;
};

/** Maximum number of views, so that the menu stays short. */
const LIMIT = 20;

/**
 * The menu of a list with the user's saved views: filters, order and columns, as in the address.
 * They are stored in the user's settings and can be shared as links.
 *
 * @param props.list - the name of the list, unique in the product, e.g. `catalog`.
 */
export function SavedViews({ list }: { list: string }) {
  const { t } = useTranslationRef(appReactTranslationRef);
  const { views, isKnown, save, remove } = useSavedViews(list);
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const [isNaming, setNaming] = useState(false);
  const undoToast = useUndoToast();
  const query = search.slice(1);
  const current = views.find(view => view.query === query);
  return (
    <>
      <MenuTrigger>
        <Button
          size="small"
          variant="tertiary"
          iconStart={<RiBookmarkLine size={16} />}
        >
          {current?.name ?? t('views.title')}
        </Button>
        <Menu aria-label={t('views.title')}>
          {views.length > 0 && (
            <MenuSection title={t('views.saved')}>
              {views.map(view => (
                <MenuItem
                  key={view.name}
                  onAction={() => navigate(`${pathname}?${view.query}`)}
                >
                  {view.name}
                </MenuItem>
              ))}
            </MenuSection>
          )}
          {current ? (
            <MenuItem
              onAction={() => {
                remove(current.name);
                undoToast(t('views.removed', { name: current.name }), () =>
                  save(current),
                );
              }}
            >
              {t('views.remove', { name: current.name })}
            </MenuItem>
          ) : (
            <MenuItem
              isDisabled={!isKnown || query === '' || views.length >= LIMIT}
              onAction={() => setNaming(true)}
            >
              {t('views.save')}
            </MenuItem>
          )}
        </Menu>
      </MenuTrigger>
      {isNaming && (
        <OpenDialog title={t('views.save')} onClose={() => setNaming(false)}>
          <NameForm
            taken={views.map(({ name }) => name)}
            onSave={name => {
              save({ name, query });
              setNaming(false);
            }}
          />
        </OpenDialog>
      )}
    </>
  );
}

function NameForm(props: {
  /** The names of the existing views, which a new one replaces. */
  taken: readonly string[];
  onSave(name: string): void;
}) {
  const { taken, onSave } = props;
  const { t } = useTranslationRef(appReactTranslationRef);
  const [name, setName] = useState('');
  const [isMissing, setMissing] = useState(false);
  const trimmed = name.trim();
  const isTaken = taken.includes(trimmed);
  const hint = isTaken
    ? t('views.replaces', { name: trimmed })
    : isMissing && trimmed === '' && t('views.nameMissing');
  return (
    <DialogForm
      submitLabel={t(isTaken ? 'views.replace' : 'views.confirm')}
      isPending={false}
      onSubmit={() => (trimmed === '' ? setMissing(true) : onSave(trimmed))}
    >
      <TextField
        label={t('views.name')}
        value={name}
        onChange={setName}
        isInvalid={isMissing && trimmed === ''}
        description={hint || undefined}
        maxLength={60}
      />
    </DialogForm>
  );
}

/** Reads and changes the saved views of a list in the user's settings. */
function useSavedViews(list: string) {
  const { t } = useTranslationRef(appReactTranslationRef);
  const toastApi = useApi(toastApiRef);
  const errorWords = useErrorWords();
  const setting = useUserSetting('slipway.views', list, parseViews);
  const change = (next: (views: SavedView[]) => SavedView[]) =>
    void setting.change(next).catch((error: unknown) =>
      toastApi.post({
        title: t('views.failed'),
        description: errorWords(error),
        status: 'danger',
      }),
    );
  return {
    views: setting.value ?? [],
    /** False until the settings are loaded. */
    isKnown: setting.value !== undefined,
    /** Saves a view, in place of one with its name. */
    save: (view: SavedView) =>
      change(views => [
        ...views.filter(({ name }) => name !== view.name),
        view,
      ]),
    remove: (name: string) =>
      change(views => views.filter(view => view.name !== name)),
  };
}

/** Parses the stored value, which may have any shape. */
function parseViews(value: unknown): SavedView[] {
  return Array.isArray(value)
    ? value.filter(
        (view): view is SavedView =>
          typeof view?.name === 'string' && typeof view?.query === 'string',
      )
    : [];
}
