import { useCallback, useEffect, useMemo, useState } from 'react';
import { OAuth2 } from '@backstage/core-app-api';
import { UserIdentity } from '@backstage/core-components';
import {
  type BackstageIdentityApi,
  IdentityApi,
  type ProfileInfoApi,
  type SessionApi,
  configApiRef,
  discoveryApiRef,
  oauthRequestApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { useErrorWords } from '@slipway/app-react';
import { ErrorPanel } from '@slipway/design-system';
import { appTranslationRef } from '../../translation';

/** The id of the auth provider through which users sign in. */
export const OIDC = 'oidc';

const reloadPage = () => window.location.reload();

/** Props of {@link OidcSignIn}. */
export interface OidcSignInProps {
  /** The name of the identity provider, as users know it. */
  title: string;
  onSignIn(identity: IdentityApi): void;
  /** Reloads the page; by default, in the browser. */
  reload?(): void;
}

/** Creates the API of the backend's `oidc` auth provider. */
function useOidcApi(title: string): OAuth2 {
  const configApi = useApi(configApiRef);
  const discoveryApi = useApi(discoveryApiRef);
  const oauthRequestApi = useApi(oauthRequestApiRef);
  return useMemo(
    () =>
      OAuth2.create({
        configApi,
        discoveryApi,
        oauthRequestApi,
        environment: configApi.getOptionalString('auth.environment'),
        provider: { id: OIDC, title, icon: () => null },
        defaultScopes: ['openid', 'profile', 'email'],
      }),
    [configApi, discoveryApi, oauthRequestApi, title],
  );
}

/**
 * Wraps the API of the session with which a page was opened. Once somebody else has signed in, reloads the
 * page, which shows what the first user may see, and never resolves to a token of the other user.
 */
function ofUser(
  authApi: OAuth2,
  options: { userEntityRef: string; reload: () => void },
): ProfileInfoApi & BackstageIdentityApi & SessionApi {
  return {
    getProfile: request => authApi.getProfile(request),
    signIn: () => authApi.signIn(),
    signOut: () => authApi.signOut(),
    sessionState$: () => authApi.sessionState$(),
    async getBackstageIdentity(request) {
      const session = await authApi.getBackstageIdentity(request);
      if (session && session.identity.userEntityRef !== options.userEntityRef) {
        options.reload();
        return new Promise(() => {});
      }
      return session;
    },
  };
}

/**
 * Continues an existing session, or offers to sign in at the identity provider in a
 * separate window.
 */
export function OidcSignIn(props: OidcSignInProps) {
  const { title, onSignIn, reload = reloadPage } = props;
  const { t } = useTranslationRef(appTranslationRef);
  const errorWords = useErrorWords();
  const authApi = useOidcApi(title);
  const [isPending, setPending] = useState(true);
  const [error, setError] = useState<unknown>();

  const signIn = useCallback(
    async (options: { optional?: boolean; instantPopup?: boolean }) => {
      setPending(true);
      setError(undefined);
      try {
        const found = await authApi.getBackstageIdentity(options);
        if (found) {
          onSignIn(
            UserIdentity.create({
              identity: found.identity,
              authApi: ofUser(authApi, {
                userEntityRef: found.identity.userEntityRef,
                reload,
              }),
              profile: await authApi.getProfile({ optional: true }),
            }),
          );
          return;
        }
      } catch (failure) {
        setError(failure);
      }
      setPending(false);
    },
    [authApi, onSignIn, reload],
  );

  useEffect(() => {
    signIn({ optional: true });
  }, [signIn]);

  return (
    <>
      <p>{t('signIn.oidc', { title })}</p>
      <Button
        variant="primary"
        // Unlike a disabled button, a pending one keeps the focus.
        isPending={isPending}
        onPress={() => signIn({ instantPopup: true })}
      >
        {t('signIn.continueWith', { title })}
      </Button>
      {error !== undefined && (
        <ErrorPanel
          title={t('signIn.failed')}
          message={errorWords(error)}
          advice={t('signIn.oidcFailedAdvice')}
        />
      )}
    </>
  );
}
