import { ReactNode, useEffect, useState } from 'react';
import {
  Button,
  Dialog,
  DialogBody,
  DialogFooter,
  DialogHeader,
} from '@backstage/ui';
import { messages } from '../../messages';
import './ConfirmDialog.css';

/** Props of {@link Modal}. */
export interface ModalProps {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  title: string;
  children: ReactNode;
  /** Buttons, the one that goes on last. */
  footer?: ReactNode;
  /** Width in pixels. */
  width?: number;
}

/**
 * A window over the page that wants an answer before anything else: to create, or to
 * confirm. Details of a thing belong in a SidePanel, which has an address.
 */
export function Modal(props: ModalProps) {
  const { isOpen, onOpenChange, title, children, footer, width } = props;
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} width={width}>
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
  /** A question that names the thing: "Delete api-gateway?" */
  title: string;
  /** The verb and its object: "Delete workspace". */
  confirmLabel: string;
  /** May return a promise: the dialog waits, closes when it resolves, and shows the error when it rejects. */
  onConfirm(): void | Promise<void>;
  /** Puts what {@link onConfirm} rejected with into words; its message when left out. */
  describeError?(error: unknown): string;
  /** What is lost. */
  children: ReactNode;
  /** False for something that can be undone. */
  destructive?: boolean;
}

/** Asks before something is lost. Cancel has the focus first. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, onOpenChange, title, confirmLabel, onConfirm } = props;
  const { children, destructive = true, describeError = messageOf } = props;
  const [isPending, setIsPending] = useState(false);
  const [error, setError] = useState<unknown>();

  useEffect(() => {
    if (isOpen) {
      setError(undefined);
    }
  }, [isOpen]);

  const confirm = async () => {
    setError(undefined);
    setIsPending(true);
    try {
      await onConfirm();
      onOpenChange(false);
    } catch (failure) {
      setError(failure);
    } finally {
      setIsPending(false);
    }
  };

  return (
    <Modal
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={title}
      width={440}
      footer={
        <>
          <Button
            // The safe choice first, as a dialog that asks has to.
            // eslint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            variant="secondary"
            slot="close"
          >
            {messages.cancel}
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
