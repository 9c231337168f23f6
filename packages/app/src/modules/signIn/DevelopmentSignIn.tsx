import { useCallback, useEffect, useState } from 'react';
import {
  discoveryApiRef,
  IdentityApi,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import {
  isMissing,
  isTransient,
  readFailedCall,
  useErrorWords,
} from '@slipway/app-react';
import { ErrorPanel } from '@slipway/design-system';
import { appTranslationRef } from '../../translation';
import { DevelopmentIdentity } from './DevelopmentIdentity';
import { rememberedUser } from './session';
import { OfferedUser } from './signInConfig';

/** Props of {@link DevelopmentSignIn}. */
export interface DevelopmentSignInProps {
  users: OfferedUser[];
  onSignIn(identity: IdentityApi): void;
}

const RETRY_MS = 3000;

/**
 * Checks whether retrying helps: the backend has not started, or has not read its
 * catalog yet (404).
 */
function isTemporary(error: unknown): boolean {
  return isTransient(error) || isMissing(error);
}

/** Offers named users; continues as the remembered one without asking. */
export function DevelopmentSignIn({ users, onSignIn }: DevelopmentSignInProps) {
  const { t } = useTranslationRef(appTranslationRef);
  const errorWords = useErrorWords();
  const discoveryApi = useApi(discoveryApiRef);
  const [pendingUser, setPendingUser] = useState<string>();
  const [failure, setFailure] = useState<{ user: string; error: unknown }>();
  const [remembered] = useState(rememberedUser.get);

  const signIn = useCallback(
    async (user: string) => {
      setPendingUser(user);
      try {
        const identity = await DevelopmentIdentity.create({
          user,
          discoveryApi,
          onSignOut: rememberedUser.forget,
        });
        rememberedUser.set(user);
        onSignIn(identity);
      } catch (error) {
        setFailure({ user, error });
        setPendingUser(undefined);
      }
    },
    [discoveryApi, onSignIn],
  );

  useEffect(() => {
    if (remembered) {
      signIn(remembered);
    }
  }, [remembered, signIn]);

  useEffect(() => {
    // If the user has chosen someone else in the meantime, that choice applies.
    if (!failure || pendingUser || !isTemporary(failure.error)) {
      return undefined;
    }
    const timer = setTimeout(() => signIn(failure.user), RETRY_MS);
    return () => clearTimeout(timer);
  }, [failure, pendingUser, signIn]);

  // After a reload, the users are not offered again, unless the remembered sign-in failed.
  if (remembered && !failure) {
    const user = users.find(({ name }) => name === remembered);
    return (
      <p role="status">
        {t('signIn.pending', { name: user?.displayName ?? remembered })}
      </p>
    );
  }
  return (
    <>
      <p>{t('signIn.development')}</p>
      <ul className="slw-SignInUsers">
        {users.map(user => (
          <li key={user.name}>
            <div>
              <strong>{user.displayName}</strong>
              {user.description && <span>{user.description}</span>}
            </div>
            <Button
              variant="secondary"
              // Not isPending, which would announce a button that no longer exists once
              // signed in.
              isDisabled={pendingUser !== undefined}
              onPress={() => signIn(user.name)}
            >
              {t('signIn.continueAs', { name: user.displayName })}
            </Button>
          </li>
        ))}
      </ul>
      {failure && (
        <ErrorPanel
          title={t('signIn.failed')}
          // Before the first sign-in, no session can have expired.
          message={
            readFailedCall(failure.error).message ?? errorWords(failure.error)
          }
          advice={t(
            isTemporary(failure.error)
              ? 'signIn.retrying'
              : 'signIn.failedAdvice',
          )}
        />
      )}
    </>
  );
}
