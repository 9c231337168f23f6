import {
  type FocusEvent,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import {
  alertApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { ButtonIcon, Link } from '@backstage/ui';
import {
  RiAlertLine,
  RiCheckLine,
  RiCloseLine,
  RiErrorWarningLine,
  RiInformationLine,
} from '@remixicon/react';
import { appTranslationRef } from '../../translation';
import type { Toast, Toasts } from './Toasts';
import './ToastRegion.css';

const ICONS = {
  neutral: RiInformationLine,
  info: RiInformationLine,
  success: RiCheckLine,
  warning: RiErrorWarningLine,
  danger: RiAlertLine,
};

/** Display time of a message from the older API that is transient without a duration. */
const TRANSIENT_MS = 5_000;

/** Shows the messages at the foot of the window, announces them, and removes them after a while. */
export function ToastRegion({ toasts }: { toasts: Toasts }) {
  const { t } = useTranslationRef(appTranslationRef);
  const shown = useSyncExternalStore(toasts.subscribe, toasts.shown);
  const returnedFocus = useReturnedFocus(toasts, shown);
  useAlerts(toasts);
  return (
    <section
      className="slw-Toasts"
      aria-label={t('toasts.label')}
      {...returnedFocus}
    >
      <div role="status">
        {shown.map(toast => (
          <ToastMessage
            key={toast.id}
            toast={toast}
            onClose={() => toasts.close(toast.id)}
          />
        ))}
      </div>
    </section>
  );
}

/**
 * Returns the focus to where it came from when the message that has it is closed, by its button or
 * by another one in it.
 *
 * @returns the props of the region.
 */
function useReturnedFocus(toasts: Toasts, shown: readonly Toast[]) {
  const region = useRef<HTMLElement>(null);
  const before = useRef<HTMLElement>(undefined);
  const hadFocus = useRef(false);
  // Before React removes the message.
  useEffect(
    () =>
      toasts.subscribe(() => {
        hadFocus.current =
          region.current?.contains(document.activeElement) ?? false;
      }),
    [toasts],
  );
  useEffect(() => {
    if (hadFocus.current && document.activeElement === document.body) {
      before.current?.focus();
    }
    hadFocus.current = false;
  }, [shown]);
  return {
    ref: region,
    onFocus({ currentTarget, relatedTarget }: FocusEvent) {
      if (
        relatedTarget instanceof HTMLElement &&
        !currentTarget.contains(relatedTarget)
      ) {
        before.current = relatedTarget;
      }
    },
  };
}

function ToastMessage({ toast, onClose }: { toast: Toast; onClose(): void }) {
  const { t } = useTranslationRef(appTranslationRef);
  const { title, description, links, timeout, status = 'success' } = toast;
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isHeld = isHovered || isFocused;
  useEffect(() => {
    if (!timeout || isHeld) {
      return undefined;
    }
    const timer = setTimeout(onClose, timeout);
    return () => clearTimeout(timer);
    // `onClose` is not a dependency, since it changes on each render.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [timeout, isHeld]);
  const Icon = ICONS[status];
  return (
    // It stays while it is hovered or has the focus.
    <div
      className="slw-Toast"
      data-status={status}
      onMouseEnter={() => setHovered(true)}
      onMouseLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <Icon size={20} aria-hidden />
      <div className="slw-ToastText">
        <span>{title}</span>
        {description && <span>{description}</span>}
        {links?.map(({ href, label }) => (
          <Link key={href} href={href}>
            {label}
          </Link>
        ))}
      </div>
      <ButtonIcon
        size="small"
        variant="tertiary"
        aria-label={t('toasts.close')}
        icon={<RiCloseLine size={16} />}
        onPress={onClose}
      />
    </div>
  );
}

/** Shows the messages of the older API, which third-party plugins still use, as toasts. */
function useAlerts(toasts: Toasts): void {
  const alertApi = useApi(alertApiRef);
  useEffect(() => {
    const subscription = alertApi
      .alert$()
      .subscribe(({ message, severity, display }) =>
        toasts.post({
          title: message,
          status: severity === 'error' ? 'danger' : severity,
          ...(display === 'transient' && { timeout: TRANSIENT_MS }),
        }),
      );
    return () => subscription.unsubscribe();
  }, [alertApi, toasts]);
}
