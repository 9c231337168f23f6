import { type ReactNode, useRef, useState } from 'react';
import {
  toastApiRef,
  useApi,
  useApiHolder,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { ConfirmDialog } from '@slipway/design-system';
import { useNavigate } from 'react-router-dom';
import { useErrorWords } from '../failures/failures';
import { reloadAll } from '../queries/clientsOfApp';
import { postWithButton, TOAST_MS, UNDO_MS } from '../toasts/toastWithButton';
import { appReactTranslationRef } from '../translation';
import type {
  ActionResult,
  InstalledSource,
  PaletteAct,
  PaletteItem,
} from './palette';

type Choice = { item: PaletteItem; source: InstalledSource };
type Run = Extract<PaletteAct, { type: 'run' }>;

/**
 * Runs the actions of palette items: opens pages and dialogs, asks for confirmation if required,
 * and reports the result, with Undo if possible.
 *
 * @returns `act`, and the currently open dialog, which the caller renders.
 */
export function useAct(): {
  act(item: PaletteItem, source: InstalledSource): void;
  dialog: ReactNode;
} {
  const navigate = useNavigate();
  const errorWords = useErrorWords();
  const tell = useTellResult();
  const [open, setOpen] = useState<Choice>();
  const close = () => setOpen(undefined);
  // A second click on a button must not run its action twice.
  const running = useRef(new Set<string>());
  const run = async (key: string, { title, act: what }: PaletteItem) => {
    if (what.type !== 'run' || running.current.has(key)) {
      return;
    }
    running.current.add(key);
    try {
      tell.done(await what.run());
    } catch (error) {
      tell.failed(title, error);
    } finally {
      running.current.delete(key);
    }
  };

  const act = (item: PaletteItem, source: InstalledSource) => {
    const { act: what } = item;
    if (what.type === 'open') {
      navigate(what.href);
    } else if (what.type === 'run' && !what.confirm) {
      void run(`${source.id} ${item.id}`, item);
    } else {
      setOpen({ item, source });
    }
  };

  const what = open?.item.act;
  const Dialog =
    what?.type === 'dialog' ? open?.source.dialogs[what.dialog] : undefined;
  return {
    act,
    dialog: (
      <>
        {what?.type === 'dialog' && Dialog && (
          <Dialog input={what.input} onClose={close} />
        )}
        {what?.type === 'run' && (
          <Confirmation
            run={what}
            onClose={close}
            describeError={errorWords}
            onDone={tell.done}
          />
        )}
      </>
    ),
  };
}

function Confirmation(props: {
  run: Run;
  onClose(): void;
  onDone(result: ActionResult | undefined): void;
  describeError(error: unknown): string;
}) {
  const { run, onClose, onDone, describeError } = props;
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title={run.confirm?.title ?? ''}
      confirmLabel={run.confirm?.label ?? ''}
      describeError={describeError}
      destructive={run.confirm?.isDestructive ?? false}
      onConfirm={async () => onDone(await run.run())}
    >
      {run.confirm?.text}
    </ConfirmDialog>
  );
}

/** Returns a function that reports the result of an action, or its error, in a toast. */
function useTellResult() {
  const app = useApiHolder();
  const toasts = useApi(toastApiRef);
  const { t } = useTranslationRef(appReactTranslationRef);
  const errorWords = useErrorWords();
  const failed = (action: string, error: unknown) => {
    toasts.post({
      title: t('action.failed', { action }),
      description: errorWords(error),
      status: 'danger',
    });
  };
  const done = (result: ActionResult | undefined) => {
    reloadAll(app);
    if (!result) {
      return;
    }
    const { title, link, undo } = result;
    const toast = {
      title,
      status: 'success' as const,
      timeout: undo ? UNDO_MS : TOAST_MS,
      ...(link && { links: [link] }),
    };
    if (!undo) {
      toasts.post(toast);
      return;
    }
    const onPress = () =>
      void undo().then(
        () => {
          reloadAll(app);
          toasts.post({
            title: t('action.undone'),
            description: title,
            status: 'neutral',
            timeout: TOAST_MS,
          });
        },
        error => failed(t('action.undo'), error),
      );
    postWithButton(toasts, toast, { label: t('action.undo'), onPress });
  };
  return { done, failed };
}
