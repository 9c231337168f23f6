import { useCallback } from 'react';
import {
  IdentityApi,
  configApiRef,
  discoveryApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { SignInPageProps } from '@backstage/plugin-app-react';
import { appTranslationRef } from '../../translation';
import { LogoMark } from '../shell/Logo';
import { DevelopmentSignIn } from './DevelopmentSignIn';
import { OidcSignIn } from './OidcSignIn';
import { onSignOutElsewhere } from './otherTabs';
import { readSignInConfig } from './signInConfig';
import { SignOutOfIdes } from './SignOutOfIdes';
import './SignInPage.css';

/** Shows the configured ways to sign in. */
export function SignInPage({ onSignInSuccess }: SignInPageProps) {
  const { t } = useTranslationRef(appTranslationRef);
  const signIn = readSignInConfig(useApi(configApiRef));
  const discoveryApi = useApi(discoveryApiRef);
  const onSignIn = useCallback(
    (identity: IdentityApi) => {
      // A reload shows the sign-in page again, at the same address.
      onSignOutElsewhere(() => window.location.reload());
      onSignInSuccess(new SignOutOfIdes(identity, discoveryApi));
    },
    [discoveryApi, onSignInSuccess],
  );
  return (
    <main className="slw-SignIn">
      <div className="slw-SignInCard">
        <div className="slw-SignInBrand">
          <LogoMark size={32} />
          <h1>{t('signIn.title')}</h1>
        </div>
        <p>{t('product.sentence')}</p>
        {signIn.method === 'development' && (
          <DevelopmentSignIn users={signIn.users} onSignIn={onSignIn} />
        )}
        {signIn.method === 'oidc' && (
          <OidcSignIn title={signIn.title} onSignIn={onSignIn} />
        )}
        {signIn.method === 'none' && <p>{t('signIn.none')}</p>}
      </div>
    </main>
  );
}
