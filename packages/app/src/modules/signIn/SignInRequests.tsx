import { useEffect, useRef, useState } from 'react';
import {
  AppRootElementBlueprint,
  oauthRequestApiRef,
  type PendingOAuthRequest,
  toastApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { postWithButton, useErrorWords } from '@slipway/app-react';
import { ConfirmDialog } from '@slipway/design-system';
import { useLocation } from 'react-router-dom';
import { appTranslationRef } from '../../translation';
import { OIDC } from './OidcSignIn';

/**
 * Asks the user to sign in at a provider when a page needs that: again, once the session has ended, or
 * with the account of a forge. A user whose session has ended may do so later: until then, requests of
 * the page wait, and a message offers to sign in.
 */
function SignInRequests() {
  const { t } = useTranslationRef(appTranslationRef);
  const errorWords = useErrorWords();
  const toastApi = useApi(toastApiRef);
  const request = useRequest();
  /** The last request for which the user has signed in. */
  const answered = useRef<PendingOAuthRequest>(undefined);
  const [isPostponed, setPostponed] = useState(false);
  const isSession = request?.provider.id === OIDC;
  const { pathname } = useLocation();
  // Asks again on another page, which cannot load without a session.
  useEffect(() => setPostponed(false), [isSession, pathname]);
  useEffect(() => {
    if (!isSession || !isPostponed) {
      return undefined;
    }
    const toast = postWithButton(
      toastApi,
      { title: t('signIn.ended'), status: 'warning' },
      { label: t('signIn.again'), onPress: () => setPostponed(false) },
    );
    return () => toast.close();
  }, [isSession, isPostponed, toastApi, t]);
  const signIn = async () => {
    // Browsers open the provider's window only in response to the press of a button.
    await request?.trigger();
    answered.current = request;
  };
  const close = () => {
    // The dialog also closes once the user has signed in; another request may be pending by then.
    if (request === answered.current) {
      return;
    }
    if (isSession) {
      setPostponed(true);
    } else {
      request?.reject();
    }
  };
  const title = request?.provider.title ?? '';
  return (
    <ConfirmDialog
      isOpen={request !== undefined && !(isSession && isPostponed)}
      onOpenChange={isOpen => !isOpen && close()}
      title={isSession ? t('signIn.ended') : t('signIn.account', { title })}
      confirmLabel={t('signIn.continueWith', { title })}
      destructive={false}
      describeError={errorWords}
      onConfirm={signIn}
    >
      {isSession
        ? t('signIn.endedText')
        : (request?.provider.message ?? t('signIn.accountText', { title }))}
    </ConfirmDialog>
  );
}

// With this name, the extension replaces Backstage's own dialog, which would ask for access to APIs.
export const signInRequests = AppRootElementBlueprint.make({
  name: 'oauth-request-dialog',
  params: { element: <SignInRequests /> },
});

/** Returns the request to show: the one for the session first, as others may need it. */
function useRequest(): PendingOAuthRequest | undefined {
  const api = useApi(oauthRequestApiRef);
  const [requests, setRequests] = useState<PendingOAuthRequest[]>([]);
  useEffect(() => {
    const subscription = api.authRequest$().subscribe(setRequests);
    return () => subscription.unsubscribe();
  }, [api]);
  return requests.find(({ provider }) => provider.id === OIDC) ?? requests[0];
}
