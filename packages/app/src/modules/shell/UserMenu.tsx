import {
  identityApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { useEntityRefLink } from '@backstage/plugin-catalog-react';
import { Avatar, Button, Menu, MenuItem, MenuTrigger } from '@backstage/ui';
import {
  RiLogoutBoxRLine,
  RiSettings3Line,
  RiUserLine,
} from '@remixicon/react';
import { useLoaded } from '../../entities/useLoaded';
import { appTranslationRef } from '../../translation';
import { useSignOut } from '../signIn/useSignOut';

/** Renders the signed-in user, with links to their page and settings, and sign-out. */
export function UserMenu() {
  const { t } = useTranslationRef(appTranslationRef);
  const signOut = useSignOut();
  const linkTo = useEntityRefLink();
  const { name, ref } = useUser();
  return (
    <MenuTrigger>
      <Button
        variant="tertiary"
        className="slw-UserMenu"
        iconStart={
          <span className="slw-NavIcon" aria-hidden>
            <Avatar src="" name={name} size="x-small" purpose="decoration" />
          </span>
        }
      >
        <span className="slw-NavText">{name}</span>
      </Button>
      <Menu aria-label={t('user.menu', { name })}>
        {ref && (
          <MenuItem href={linkTo(ref)} iconStart={<RiUserLine size={16} />}>
            {t('user.page')}
          </MenuItem>
        )}
        <MenuItem href="/settings" iconStart={<RiSettings3Line size={16} />}>
          {t('user.settings')}
        </MenuItem>
        <MenuItem iconStart={<RiLogoutBoxRLine size={16} />} onAction={signOut}>
          {t('user.signOut')}
        </MenuItem>
      </Menu>
    </MenuTrigger>
  );
}

/** Returns the signed-in user; without a name and reference until both are known. */
function useUser(): { name: string; ref?: string } {
  const identityApi = useApi(identityApiRef);
  const user = useLoaded(async () => {
    const [{ displayName }, { userEntityRef: ref }] = await Promise.all([
      identityApi.getProfileInfo(),
      identityApi.getBackstageIdentity(),
    ]);
    return { name: displayName ?? ref.split('/').pop() ?? '', ref };
  }, [identityApi]);
  return user.state === 'ready' ? user.value : { name: '' };
}
