import { useCallback, useEffect, useState } from 'react';
import {
  IdentityApi,
  discoveryApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { ErrorPanel } from '@slipway/design-system';
import { appTranslationRef } from '../../translation';
import { DevelopmentIdentity } from './DevelopmentIdentity';
import { rememberedUser } from './rememberedUser';
import { OfferedUser } from './signInConfig';

/** Props of {@link DevelopmentSignIn}. */
export interface DevelopmentSignInProps {
  users: OfferedUser[];
  onSignIn(identity: IdentityApi): void;
}

/** Offers named users; goes on as the remembered one without asking. */
export function DevelopmentSignIn({ users, onSignIn }: DevelopmentSignInProps) {
  const { t } = useTranslationRef(appTranslationRef);
  const discoveryApi = useApi(discoveryApiRef);
  const [pendingUser, setPendingUser] = useState<string>();
  const [error, setError] = useState<unknown>();

  const signIn = useCallback(
    async (user: string) => {
      setError(undefined);
      setPendingUser(user);
      try {
        const identity = await DevelopmentIdentity.create({
          user,
          discoveryApi,
          onSignOut: rememberedUser.forget,
        });
        rememberedUser.set(user);
        onSignIn(identity);
      } catch (failure) {
        setError(failure);
        setPendingUser(undefined);
      }
    },
    [discoveryApi, onSignIn],
  );

  useEffect(() => {
    const remembered = rememberedUser.get();
    if (remembered) {
      signIn(remembered);
    }
    // Once: a sign-in that failed is tried again by hand.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

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
              isPending={pendingUser === user.name}
              isDisabled={pendingUser !== undefined}
              onPress={() => signIn(user.name)}
            >
              {t('signIn.continueAs', { name: user.displayName })}
            </Button>
          </li>
        ))}
      </ul>
      {error !== undefined && (
        <ErrorPanel
          title={t('signIn.failed')}
          error={error}
          advice={t('signIn.failedAdvice')}
        />
      )}
    </>
  );
}
