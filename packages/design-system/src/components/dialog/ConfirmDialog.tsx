import { ReactNode, useEffect, useRef, useState } from 'react';
import {
  Button,
  Dialog,
  DialogBody,
  DialogFooter,
  DialogHeader,
} from '@backstage/ui';
import { messages } from '../../messages';
import { useIsSlow } from './useIsSlow';
import './ConfirmDialog.css';
import './DialogForm.css';

/** Props of {@link Modal}. */
export interface ModalProps {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  title: string;
  children: ReactNode;
  /** Buttons, with the one that continues last. */
  footer?: ReactNode;
  /** Width in pixels. */
  width?: number;
  /** True while the user must not be able to close it. */
  isLocked?: boolean;
}

/**
 * A modal dialog that requires an answer before anything else: to create or confirm something.
 * Details of an object belong in a SidePanel, which has an address.
 */
export function Modal(props: ModalProps) {
  const { isOpen, onOpenChange, width, isLocked = false } = props;
  // Keeps its content while it closes, when the object may already be gone.
  const shown = useRef(props);
  if (isOpen) {
    shown.current = props;
  }
  const { title, children, footer } = shown.current;
  return (
    <Dialog
      isOpen={isOpen}
      className={isLocked ? 'slw-DialogLocked' : undefined}
      // If it were closed while locked, the late result would close the next dialog.
      onOpenChange={next => (next || !isLocked) && onOpenChange(next)}
      width={width}
    >
      <DialogHeader>{title}</DialogHeader>
      <DialogBody>{children}</DialogBody>
      {footer && <DialogFooter>{footer}</DialogFooter>}
    </Dialog>
  );
}

/** Props of {@link ConfirmDialog}. */
export interface ConfirmDialogProps {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  /** A question that names the object: "Delete api-gateway?" */
  title: string;
  /** The verb and its object: "Delete workspace". */
  confirmLabel: string;
  /**
   * If it returns a promise, the dialog stays open until it settles, closes when it resolves, and
   * shows the error if it rejects.
   */
  onConfirm(): void | Promise<void>;
  /** Describes the error that {@link onConfirm} rejected with; defaults to its message. */
  describeError?(error: unknown): string;
  /** Explains what will be lost. */
  children: ReactNode;
  /** False for an action that can be undone. */
  destructive?: boolean;
}

/**
 * Asks for confirmation before something is lost. Cancel has the initial focus. Stays open while the
 * action runs, but can be closed when that takes long: the action then continues, and the dialog warns
 * that an error would not be shown.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, onOpenChange, title, confirmLabel, onConfirm } = props;
  const { children, destructive = true, describeError = messageOf } = props;
  const [isPending, setIsPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const isSlow = useIsSlow(isPending);
  // Counts how often the dialog was closed, so that a late result does not close the next one.
  const question = useRef(0);

  useEffect(() => {
    if (isOpen) {
      setError(undefined);
    }
  }, [isOpen]);

  const confirm = async () => {
    const asked = question.current;
    const isStillAsked = () => asked === question.current;
    setError(undefined);
    setIsPending(true);
    try {
      await onConfirm();
      if (isStillAsked()) {
        onOpenChange(false);
      }
    } catch (failure) {
      if (isStillAsked()) {
        setError(failure);
      }
    } finally {
      if (isStillAsked()) {
        setIsPending(false);
      }
    }
  };
  const change = (next: boolean) => {
    if (!next) {
      question.current += 1;
      setIsPending(false);
    }
    onOpenChange(next);
  };

  return (
    <Modal
      isOpen={isOpen}
      isLocked={isPending && !isSlow}
      onOpenChange={change}
      title={title}
      width={440}
      footer={
        <>
          <Button
            // A confirmation dialog should focus the safe choice first.
            // eslint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            variant="secondary"
            slot="close"
            isDisabled={isPending && !isSlow}
          >
            {isSlow ? messages.close : messages.cancel}
          </Button>
          <Button
            variant="primary"
            destructive={destructive}
            isPending={isPending}
            onPress={confirm}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      {children}
      {isSlow && (
        <p className="slw-DialogSlow" role="status">
          {messages.slowAction}
        </p>
      )}
      {error !== undefined && (
        <p className="slw-ConfirmDialogError" role="alert">
          {describeError(error)}
        </p>
      )}
    </Modal>
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
